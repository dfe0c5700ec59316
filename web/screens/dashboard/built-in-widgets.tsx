// The widgets of the default dashboard. Others can have them, too.
import type { ReactNode } from 'react'
import type { BuiltInWidget } from '../../../contract/shared/widget.ts'
import { ActivityWidget } from './activity-widget.tsx'
import { AgentChanges } from './agent-changes.tsx'
import { ChangesOnMine } from './changes-on-mine.tsx'
import type { WidgetAnswer } from './dashboard-api.ts'
import { ForecastWidget, PipelineWidget, WonAndLost } from './deal-widgets.tsx'
import { NeedsYou } from './needs-you.tsx'
import { TaskWidget } from './task-widget.tsx'

type Drawn = (props: { title: string; of: WidgetAnswer }) => ReactNode

export const builtIns: Record<BuiltInWidget, { title: string; draw: Drawn }> = {
  my_tasks: { title: 'My tasks', draw: TaskWidget },
  needs_you: { title: 'Needs your attention', draw: NeedsYou },
  agent_changes: { title: 'Changed by agents', draw: AgentChanges },
  pipeline: { title: 'Pipeline', draw: PipelineWidget },
  won_and_lost: { title: 'Won and lost', draw: WonAndLost },
  forecast: { title: 'Forecast', draw: ForecastWidget },
  activity: { title: 'Activity', draw: ActivityWidget },
  changes_on_mine: { title: 'Changes to my records', draw: ChangesOnMine },
}

export const isBuiltIn = (type: string): type is BuiltInWidget => type in builtIns
