// A week in figures, for the email that people can switch on. Each has the list behind it, as on the dashboard.
import type { Figure } from '../../contract/dashboards.ts'
import { dateFormat } from '../../contract/shared/date-format.ts'
import { pages } from '../../contract/shared/pages.ts'
import { AppError } from '../kernel/app-error.ts'
import { closedDeals, pipelineWidget } from './deals.ts'
import type { Frame } from './figures.ts'
import { myTasks, needsYou } from './my-work.ts'
import { objectFor } from './objects.ts'
import { daysBefore, daysOf } from './ranges.ts'
import { agentWork } from './work-done.ts'

/** `note` is about what it is compared with. `link` is a path of the web app. */
export type SummaryLine = { label: string; value: string; note: string | null; link: string }
export type Summary = { days: string; lines: SummaryLine[] }

export async function weekOf(frame: Frame): Promise<Summary> {
  const { schema, actor, context } = frame
  const language = actor.language ?? schema.language
  const days = daysOf('last_week', schema, context.now)
  const words = wordsIn(language)
  const lines: SummaryLine[] = []
  if (objectFor(frame, 'deals')) {
    const before = daysBefore('last_week', days)
    for (const outcome of ['won', 'lost'] as const) {
      const closed = await unlessArchived(() => closedDeals(frame, outcome, days))
      const earlier = closed && (await closedDeals(frame, outcome, before))
      if (!closed || !earlier) continue
      const note = `Week before: ${words.deals(earlier)}`
      lines.push({
        label: outcome === 'won' ? 'Won' : 'Lost',
        value: words.deals(closed),
        note,
        link: listOf(closed.figure),
      })
    }
    const { total, currency = null } = (await unlessArchived(() => pipelineWidget(frame))) ?? {}
    if (total)
      lines.push({
        label: 'Open deals',
        value: words.deals({ figure: total, currency }),
        note: null,
        link: listOf(total),
      })
  }
  for (const { figures = [] } of [await myTasks(frame), await needsYou(frame)])
    for (const figure of figures)
      if (figure.values.count)
        lines.push({ label: names[figure.key!] ?? '', value: words.count(figure), note: null, link: listOf(figure) })
  for (const { api_key_id: key, api_key_name, changed_records } of await agentWork(frame, days)) {
    const search = new URLSearchParams({ key, from: days.first, to: days.last })
    const value = changed_records === 1 ? '1 record' : `${words.number(changed_records)} records`
    lines.push({
      label: `Changed by ${api_key_name ?? 'a deleted key'}`,
      value,
      note: null,
      link: `${pages.activity}?${search}`,
    })
  }
  return { days: words.days(days), lines }
}

const names: Record<string, string> = {
  overdue: 'Your overdue tasks',
  today: 'Your tasks today',
  past_close: 'Your deals past the close date',
  no_next_task: 'Your deals with no next step',
  quiet: 'Your deals without activity for 14 days',
  new_leads: 'New leads without a reply',
}

/** Without its fields, a company has no such figure. */
async function unlessArchived<T>(compute: () => Promise<T>) {
  try {
    return await compute()
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

type Money = { figure: Figure; currency: string | null }

function wordsIn(language: string) {
  const number = (value: number) => value.toLocaleString(language)
  const count = ({ values }: Figure) => number(Number(values.count))
  const money = (amount: number, currency: string) =>
    new Intl.NumberFormat(language, { style: 'currency', currency, maximumFractionDigits: 0 }).format(amount)
  return {
    number,
    count,
    /** "€12,000 + CHF 300, 4 deals" */
    deals({ figure, currency }: Money) {
      const deals = figure.values.count === 1 ? '1 deal' : `${count(figure)} deals`
      const sum = Object.entries(figure.values).find(([measure]) => measure.startsWith('sum('))?.[1]
      const converted = typeof sum === 'number' && sum && currency ? [money(sum, currency)] : []
      const rest = figure.unconverted.flatMap((one) => (one.sum ? [money(one.sum, one.currency)] : []))
      const amount = [...converted, ...rest].join(' + ')
      return amount ? `${amount}, ${deals}` : deals
    },
    days({ first, last }: { first: string; last: string }) {
      const format = dateFormat(language, { month: 'short', day: 'numeric', timeZone: 'UTC' })
      return format.formatRange(new Date(first), new Date(last)).replaceAll('\u2009', ' ')
    },
  }
}

const listOf = ({ object, filter }: Figure) =>
  `${pages.recordList.replace(':object', object!)}${filter ? `?filter=${encodeURIComponent(filter)}` : ''}`
