import { ShieldAlert, ShieldCheck } from 'lucide-react'
import type { AuditVerification } from '../../../../contract/audit.ts'
import { Panel } from '../../../ui/basics/layout.tsx'
import { Ago } from '../../../ui/text/ago.tsx'
import { CopyCode } from '../../../ui/text/code.tsx'
import { asMinute } from '../../../ui/text/moments.ts'
import { asNumber } from '../../../ui/text/numbers.ts'
import css from './verification.module.css'

export const Verification = ({ of: found }: { of: AuditVerification }) => (
  <Panel
    as="section"
    sunken
    padded
    className={css.verification}
    data-tone={found.ok ? 'good' : 'bad'}
    aria-label="Verification"
    role="status"
  >
    {found.ok ? <ShieldCheck size={18} /> : <ShieldAlert size={18} />}
    <div>
      <p className={css.title}>{found.ok ? 'No changes found' : 'The audit log was changed outside Kith'}</p>
      {!found.ok && <Problems of={found.problems} />}
      <p>{countsOf(found)}</p>
      {found.newest_seal && (
        <p>
          Newest seal, <Ago at={found.newest_seal.at} />: <CopyCode value={found.newest_seal.hash} what="seal" />
          Keep a copy to prove later that nothing before it was changed.
        </p>
      )}
    </div>
  </Panel>
)

const Problems = ({ of: problems }: { of: AuditVerification['problems'] }) => (
  <>
    <ul>
      {problems.map((problem) => (
        <li key={`${problem.kind} ${problem.position} ${problem.event_id}`}>{wordsOf(problem)}</li>
      ))}
    </ul>
    <p>Ask the people who run your Kith server to compare the log with a backup.</p>
  </>
)

const kinds = { changed: 'was changed', removed: 'is missing', added: 'was added later' }

function wordsOf({ kind, position, at }: AuditVerification['problems'][number]) {
  const which = position === null ? 'An event that is not sealed yet' : `Event ${asNumber(position)}`
  return `${which}${at ? ` (${asMinute(at)})` : ''} ${kinds[kind]}.`
}

function countsOf({ sealed, waiting, removed, erased }: AuditVerification) {
  const parts = [
    `${events(sealed)} ${sealed === 1 ? 'is' : 'are'} sealed.`,
    waiting > 0 && `${events(waiting)} will be sealed shortly.`,
    removed > 0 && `${events(removed)} ${removed === 1 ? 'was' : 'were'} removed by data retention.`,
    erased > 0 && `The details of ${events(erased)} were erased.`,
  ]
  return parts.filter(Boolean).join(' ')
}

const events = (count: number) => `${asNumber(count)} ${count === 1 ? 'event' : 'events'}`
