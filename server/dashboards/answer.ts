// Computes widgets. Each fails on its own.

import type { WidgetAnswer } from '../../contract/dashboards.ts'
import type { Widget } from '../../contract/shared/widget.ts'
import { AppError } from '../kernel/app-error.ts'
import { isTimeout } from '../platform/db.ts'
import { inParallel } from '../platform/in-parallel.ts'
import { chartWidget, leaderboardWidget, listWidget, numberWidget, tableWidget } from './data-widgets.ts'
import { forecast, pipelineWidget, wonAndLost } from './deals.ts'
import type { Computed, Frame } from './figures.ts'
import { funnelWidget } from './funnel.ts'
import { inboxWidget } from './inbox.ts'
import { leadSendingWidget } from './lead-sending.ts'
import { myTasks, needsYou } from './my-work.ts'
import { activity, agentChanges, changesOnMine } from './work-done.ts'

/** How many widgets of a dashboard are computed at the same time. */
const together = 2

const computing: { [T in Widget['type']]: (frame: Frame, widget: Extract<Widget, { type: T }>) => Promise<Computed> } =
  {
    number: numberWidget,
    bar: chartWidget,
    stacked_bar: chartWidget,
    line: chartWidget,
    area: chartWidget,
    donut: chartWidget,
    funnel: funnelWidget,
    table: tableWidget,
    leaderboard: leaderboardWidget,
    list: listWidget,
    lead_sending: leadSendingWidget,
    inbox: inboxWidget,
    text: async () => ({}),
    my_tasks: myTasks,
    needs_you: needsYou,
    agent_changes: agentChanges,
    pipeline: pipelineWidget,
    won_and_lost: wonAndLost,
    forecast,
    activity,
    changes_on_mine: changesOnMine,
  }

export const answerAll = (frame: Frame, widgets: Widget[]): Promise<WidgetAnswer[]> =>
  inParallel(together, widgets, (widget) => answerOne(frame, widget))

export async function answerOne(frame: Frame, widget: Widget): Promise<WidgetAnswer> {
  const compute = computing[widget.type] as (frame: Frame, widget: Widget) => Promise<Computed>
  try {
    return shown(widget, await compute(frame, widget), null)
  } catch (error) {
    const message = messageOf(error)
    if (message === undefined) throw error
    return shown(widget, {}, message)
  }
}

/** What the user can act on. Anything else is a fault of ours and fails the call. */
function messageOf(error: unknown) {
  if (isTimeout(error)) return 'This took too long. Narrow the filter or group by fewer fields.'
  return error instanceof AppError && error.code !== 'unavailable' ? error.message : undefined
}

const nothing = {
  range: null,
  currency: null,
  figures: [],
  total: null,
  before: null,
  change_sets: [],
  changes_by: [],
  agents: [],
  since: null,
}

const shown = ({ id, type, title }: Widget, computed: Computed, error: string | null): WidgetAnswer => ({
  id,
  type,
  title,
  error,
  ...nothing,
  ...computed,
})
