import { Link } from '@tanstack/react-router'
import { Bot, Users } from 'lucide-react'
import { pages } from '../../../contract/shared/pages.ts'
import { isBuiltIn } from '../../records/data/built-in.ts'
import { useSchema } from '../../records/data/schema.ts'
import { Initials } from '../../ui/basics/avatar.tsx'
import { Message } from '../../ui/basics/states.tsx'
import { dayOf } from '../../ui/text/moments.ts'
import { asNumber } from '../../ui/text/numbers.ts'
import { countOf, type Figure, type WidgetAnswer } from './dashboard-api.ts'
import { FigureLink, WidgetCard } from './widget-card.tsx'
import css from './widgets.module.css'

const mostShown = 8

/** What people logged and completed, and what agents changed. */
export function ActivityWidget({ title, of: { figures, agents } }: { title: string; of: WidgetAnswer }) {
  const objects = useSchema()
  const kinds = [...new Set(figures.map(({ key }) => key))].map((key) => {
    const object = objects.find((one) => one.key === key)
    const isTasks = object && isBuiltIn(object, 'tasks')
    return { key, name: isTasks ? 'Tasks done' : (object?.label_plural ?? '') }
  })
  const people = [...Map.groupBy(figures.filter(isSomeone), ({ keys }) => keys[0])]
    .map(([id, done]) => ({ id, done, all: done.reduce((sum, one) => sum + countOf(one), 0) }))
    .toSorted((a, b) => b.all - a.all)
    .slice(0, mostShown)
  const saved = [
    ['People', ...kinds.map(({ name }) => name)].map((text) => ({ text })),
    ...people.map(({ done }) => [
      { text: done[0]!.labels[0] ?? '' },
      ...kinds.map(({ key }) => {
        const value = countOf(done.find((one) => one.key === key))
        return { text: asNumber(value), value }
      }),
    ]),
  ]
  return (
    <WidgetCard title={title} subtitle="Last 7 days" cells={people.length ? saved : undefined}>
      {!people.length && !agents.length ? (
        <Message size="small" icon={Users}>
          No activity yet. Calls, meetings, notes and completed tasks appear here.
        </Message>
      ) : (
        <>
          {people.length > 0 && (
            <table className={css.table}>
              <thead>
                <tr>
                  <th scope="col">People</th>
                  {kinds.map(({ key, name }) => (
                    <th key={key} scope="col">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {people.map(({ id, done }) => (
                  <tr key={String(id)}>
                    <th scope="row">
                      <span className={css.person}>
                        <Initials name={done[0]!.labels[0] ?? '?'} size={20} seed={String(id)} />
                        <bdi>{done[0]!.labels[0] ?? 'Deleted user'}</bdi>
                      </span>
                    </th>
                    {kinds.map(({ key, name }) => (
                      <td key={key}>
                        <Count of={done.find((one) => one.key === key)} name={name} />
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          {agents.length > 0 && (
            <table className={css.table}>
              <thead>
                <tr>
                  <th scope="col">Agents</th>
                  <th scope="col">Changes</th>
                  <th scope="col">Records</th>
                </tr>
              </thead>
              <tbody>
                {agents.slice(0, mostShown).map((agent) => (
                  <tr key={agent.api_key_id}>
                    <th scope="row">
                      <span className={css.person}>
                        <span className={css.bot} data-small>
                          <Bot size={13} />
                        </span>
                        <bdi>{agent.api_key_name ?? 'Deleted key'}</bdi>
                      </span>
                    </th>
                    {[agent.change_sets, agent.changed_records].map((count, place) => (
                      <td key={place === 0 ? 'changes' : 'records'}>
                        <Link to={pages.activity} search={searchOf(agent)} className={css.figure}>
                          {asNumber(count)}
                        </Link>
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </>
      )}
    </WidgetCard>
  )
}

const isSomeone = ({ keys, is_other }: Figure) => !is_other && keys[0] !== null

function Count({ of: figure, name }: { of: Figure | undefined; name: string }) {
  if (!figure || !countOf(figure)) return <span className={css.dim}>–</span>
  return (
    <FigureLink of={figure} label={`${name}: ${asNumber(countOf(figure))}`}>
      {asNumber(countOf(figure))}
    </FigureLink>
  )
}

/** The last day ends where the next one begins. */
const searchOf = ({ api_key_id, since, until }: WidgetAnswer['agents'][number]) => ({
  key: api_key_id,
  from: dayOf(Date.parse(since)),
  to: dayOf(Date.parse(until) - 1),
})
