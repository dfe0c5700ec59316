import { type ReactNode, useMemo } from 'react'
import { weekdayNames } from '../../../../contract/lead-routes.ts'
import { useSchema } from '../../../records/data/schema.ts'
import { useFilterWords } from '../../../records/filter/filter-words.ts'
import { filterObjects } from '../../../records/filter/tree.ts'
import { asNumber } from '../../../ui/text/numbers.ts'
import { kindIcons } from '../destinations/destinations.tsx'
import { type Destination, type Route, useLeads, useMoney } from '../shared/queries.ts'
import type { Draft, Target } from './route-draft.ts'
import css from './routes.module.css'

const stateWords: Record<Route['state'], string> = { active: 'Active', paused: 'Paused', test: 'Test' }

export const StateDot = ({ of: state }: { of: Route['state'] }) => (
  <span className={css.state} data-tone={state}>
    {stateWords[state]}
  </span>
)

type Props = {
  of: Draft
  index: number
  destinations: Destination[]
  /** Left out for a draft, of which nothing is used. */
  used?: Route['used']
  problem?: string | null
  onOpen: () => void
  /** At the end of its first line. */
  children: ReactNode
}

/** A route in words: which leads, to whom, how many, when. */
export function RouteRow({ of: route, index, destinations, used, problem, onOpen, children }: Props) {
  const which = useLeadWords(route.filter)
  return (
    <div className={css.route} data-state={route.state}>
      <span className={css.index} aria-hidden="true">
        {index + 1}
      </span>
      <div className={css.head}>
        <button type="button" className={css.link} onClick={onOpen}>
          {route.name}
        </button>
        <StateDot of={route.state} />
        <span className={css.end}>{children}</span>
      </div>
      <p className={css.what}>
        <span>{which}</span>
        {rulesOf(route).map((rule) => (
          <span key={rule}>{rule}</span>
        ))}
      </p>
      {problem && <p className={css.fault}>{problem}</p>}
      <ul className={css.targets} aria-label={`Destinations of ${route.name}`}>
        {route.targets.map((target) => (
          <TargetLine
            key={target.destination_id}
            of={target}
            isWeighted={route.mode === 'weighted'}
            destination={destinations.find(({ id }) => id === target.destination_id)}
            used={used?.find(({ destination_id }) => destination_id === target.destination_id)}
            isDraft={!used}
          />
        ))}
      </ul>
    </div>
  )
}

function useLeadWords(text: string | null) {
  const root = useLeads()?.key ?? 'leads'
  const schema = useSchema()
  const objects = useMemo(() => filterObjects(schema), [schema])
  return useFilterWords(text ?? '', { objects, root }) || 'Every lead'
}

const modeWords: Record<Draft['mode'], (route: Draft) => string> = {
  first: () => 'first that accepts',
  all: () => 'all of them',
  some: ({ wanted }) => `until ${asNumber(wanted)} have accepted`,
  weighted: () => 'shared by weight',
  in_turn: () => 'round robin',
}

/** What else there is to know, in a few words each. */
function rulesOf(route: Draft) {
  const { targets, mode, schedule, delay_minutes, duplicate_days, is_exclusive, goes_on } = route
  return [
    targets.length > 1 && modeWords[mode](route),
    is_exclusive && 'exclusive',
    schedule && scheduleWords(schedule),
    delay_minutes > 0 && `after ${asNumber(delay_minutes)} min`,
    duplicate_days > 0 && samePersonWords(duplicate_days),
    goes_on && 'later routes also get it',
  ].filter((rule) => rule !== false && rule !== null)
}

const short = (day: string) => `${day[0]!.toUpperCase()}${day.slice(1, 3)}`

/** "Mon–Fri, 09:00–17:00" */
export const samePersonWords = (days: number) =>
  days === 1 ? 'same person at most once a day' : `same person at most once in ${asNumber(days)} days`

export function scheduleWords({ days, from, to }: NonNullable<Draft['schedule']>) {
  const places = days.map((day) => weekdayNames.indexOf(day))
  const isRun = days.length > 2 && places.every((place, i) => i === 0 || place === places[i - 1]! + 1)
  const when =
    days.length === 7 ? 'daily' : isRun ? `${short(days[0]!)}–${short(days.at(-1)!)}` : days.map(short).join(', ')
  return from === '00:00' && to === '24:00' ? when : `${when}, ${from}–${to}`
}

type LineProps = {
  of: Target
  isWeighted: boolean
  destination: Destination | undefined
  used: Route['used'][number] | undefined
  isDraft: boolean
}

function TargetLine({ of: target, isWeighted, destination, used, isDraft }: LineProps) {
  const asMoney = useMoney()
  const Icon = kindIcons[destination?.kind ?? 'http']
  const name = destination?.name ?? 'Deleted destination'
  return (
    <li>
      <span className={css.name}>
        <Icon size={14} />
        <bdi>{name}</bdi>
        {isWeighted && <span className={css.weight}>× {asNumber(target.weight)}</span>}
      </span>
      <span className={css.price}>{target.price > 0 ? asMoney(target.price) : ''}</span>
      {isDraft ? <CapWords of={target} /> : <Caps of={target} used={used} name={name} />}
    </li>
  )
}

/** "10 a day, 200 a month" */
function CapWords({ of: { caps } }: { of: Target }) {
  const asMoney = useMoney()
  const words = (['hour', 'day', 'month', 'total'] as const).flatMap((window) => {
    const cap = caps[window]
    return cap === null ? [] : [`${asNumber(cap)} ${per[window]}`]
  })
  const budget = caps.budget === null ? [] : [`${asMoney(caps.budget)} ${per[caps.budget_per]}`]
  return <span className={css.none}>{[...words, ...budget].join(', ') || 'No cap'}</span>
}

const per = { hour: 'an hour', day: 'a day', month: 'a month', total: 'in total' }
const capWords = { hour: 'this hour', day: 'today', month: 'this month', total: 'in total' }

/** Each cap with what is used of it, as a bar. */
function Caps({ of: { caps }, used, name }: { of: Target; used: LineProps['used']; name: string }) {
  const asMoney = useMoney()
  const counts = (['hour', 'day', 'month', 'total'] as const).flatMap((window) => {
    const cap = caps[window]
    return cap === null ? [] : [{ words: capWords[window], cap, now: used?.[window] ?? 0, write: asNumber }]
  })
  const budgets =
    caps.budget === null
      ? []
      : [{ words: capWords[caps.budget_per], cap: caps.budget, now: used?.spent ?? 0, write: asMoney }]
  const shown = [...counts, ...budgets]
  if (!shown.length) return <span className={css.none}>No cap</span>
  return (
    <span className={css.caps}>
      {shown.map(({ words, cap, now, write }) => (
        <span key={`${words} ${write(cap)}`} className={css.cap} data-full={now >= cap || undefined}>
          <span className={css.bar} role="img" aria-label={`${name}: ${write(now)} of ${write(cap)} ${words}`}>
            <span style={{ width: `${Math.min(100, (100 * now) / (cap || 1))}%` }} />
          </span>
          <span aria-hidden="true">
            {write(now)} of {write(cap)} {words}
          </span>
        </span>
      ))}
    </span>
  )
}
