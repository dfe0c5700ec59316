import { Link } from '@tanstack/react-router'
import type { contract } from '../../../../contract/index.ts'
import type { Output } from '../../../../contract/operation.ts'
import { Panel } from '../../../ui/basics/layout.tsx'
import { asMinute } from '../../../ui/text/moments.ts'
import { asNumber } from '../../../ui/text/numbers.ts'
import { useLeads, useMoney } from '../shared/queries.ts'
import css from './simulator.module.css'

type Result = Output<typeof contract.previewLeadRoutes>
type Line = { name: string; today: number; draft: number; write: (count: number) => string; isSum?: boolean }

/** Today's routes and the draft side by side, and the leads that would go elsewhere. */
export function Comparison({ of, isChanged, isStale }: { of: Result; isChanged: boolean; isStale: boolean }) {
  const asMoney = useMoney()
  const { leads, today, draft, changed } = of
  const sums: Line[] = [
    { name: 'Delivered', today: today.delivered, draft: draft.delivered, write: asNumber, isSum: true },
    { name: 'Unplaced', today: today.not_taken, draft: draft.not_taken, write: asNumber, isSum: true },
    { name: 'Revenue', today: today.revenue, draft: draft.revenue, write: asMoney, isSum: true },
  ]
  if (!leads) return <p className={css.quiet}>There are no leads from the last 30 days to simulate.</p>
  return (
    <div className={css.result} data-stale={isStale || undefined}>
      <table className={css.compared} aria-label="Live and draft">
        <thead>
          <tr>
            <th>
              {asNumber(leads)} {leads === 1 ? 'lead' : 'leads'}
            </th>
            <th>Live</th>
            <th>Draft</th>
            <th>Change</th>
          </tr>
        </thead>
        <tbody>
          {[...sums, ...byDestination(of)].map((line) => (
            <tr key={line.name} data-sum={line.isSum || undefined}>
              <th scope="row">
                <bdi>{line.name}</bdi>
              </th>
              <td>{line.write(line.today)}</td>
              <td>{line.write(line.draft)}</td>
              <td data-zero={line.draft === line.today || undefined}>{changeOf(line)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h3>
        {changed
          ? `${asNumber(changed)} of ${asNumber(leads)} leads would go elsewhere`
          : isChanged
            ? 'No lead would go elsewhere'
            : 'Change the draft to see which leads would go elsewhere'}
      </h3>
      <Differences of={of} />
    </div>
  )
}

function byDestination({ today, draft }: Result): Line[] {
  const lines = new Map<string, Line>()
  for (const [side, { sums }] of [
    ['today', today],
    ['draft', draft],
  ] as const)
    for (const { destination, leads } of sums) {
      const line = lines.get(destination) ?? { name: destination, today: 0, draft: 0, write: asNumber }
      lines.set(destination, { ...line, [side]: line[side] + leads })
    }
  return [...lines.values()].sort((a, b) => b.draft - a.draft || b.today - a.today)
}

const changeOf = ({ today, draft, write }: Line) =>
  draft === today ? '–' : `${draft > today ? '+' : '−'}${write(Math.abs(draft - today))}`

function Differences({ of: { differences, changed } }: { of: Result }) {
  const leads = useLeads()?.key ?? 'leads'
  if (!differences.length) return null
  return (
    <>
      <Panel as="ul" divided className={css.differences} aria-label="Leads that would go elsewhere">
        {differences.map((one) => (
          <li key={one.lead_id}>
            <Link to="/records/$object/$id" params={{ object: leads, id: one.lead_id }}>
              <bdi>{one.title || 'Untitled lead'}</bdi>
            </Link>
            <time dateTime={one.created_at}>{asMinute(one.created_at)}</time>
            <span>
              <bdi>{one.today}</bdi> → <strong>{one.draft}</strong>
            </span>
          </li>
        ))}
      </Panel>
      {changed > differences.length && (
        <p className={css.quiet}>The newest {asNumber(differences.length)} are shown.</p>
      )}
    </>
  )
}
