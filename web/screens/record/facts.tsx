import { UnstyledButton } from '@mantine/core'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { isClosedLead, isLeads } from '../../records/data/leads.ts'
import type { RecordShape } from '../../records/data/records-api.ts'
import { useRights } from '../../records/data/rights.ts'
import type { FieldShape, ObjectShape } from '../../records/data/schema.ts'
import { isEmpty } from '../../records/data/value-text.ts'
import { Ago } from '../../ui/text/ago.tsx'
import { EditInPlace } from './fields/edit-in-place.tsx'
import css from './header.module.css'
import { LeadFacts } from './lead-header.tsx'
import { tellingFields, useAboutObjects } from './related/relations.ts'
import { stageFieldOf } from './stages.tsx'
import type { Composing } from './timeline/composer.tsx'
import { Due } from './timeline/new-task.tsx'
import { useTimeline } from './timeline/use-timeline.ts'

type Props = { object: ObjectShape; record: RecordShape; onCompose: (what: Composing) => void }
type FactsProps = Props & {
  /** Without the fields beside it. */
  isSlim: boolean
}

/** What one must know at a glance: the next step, the last activity, and key values unless they are beside it. */
export function Facts({ object, record, isSlim, onCompose }: FactsProps) {
  const isFixed = !useRights(object).mayEdit(record)
  const owner = object.byKey.get('owner')
  const filled = keyFields(object).filter(({ key }) => !isEmpty(record[key]) || always.has(key))
  const shown = isSlim ? [...filled, ...(owner ? [owner] : [])] : []
  return (
    <dl className={css.facts} data-field-list>
      {shown.map((field) => (
        <div key={field.key}>
          <dt>{field.label}</dt>
          <dd>
            <EditInPlace object={object} record={record} field={field} isFixed={field.is_read_only || isFixed} />
          </dd>
        </div>
      ))}
      {isLeads(object) && <LeadFacts object={object} record={record} />}
      <Activity object={object} record={record} onCompose={onCompose} />
    </dl>
  )
}

function Activity({ object, record, onCompose }: Props) {
  const { tasks, activities, notes } = useAboutObjects(object)
  const { data } = useTimeline(object.key, record.id)
  const [next] = data?.pages[0]?.next_steps ?? []
  if (!tasks && !activities && !notes) return null
  const isClosed = isClosedDeal(object, record) || isClosedLead(object, record)
  return (
    <>
      {data && (next || !isClosed) && (
        <div>
          <dt>Next step</dt>
          <dd className={css.still}>
            {next ? (
              <span className={css.step}>
                <span dir="auto">{String(next.record.title)}</span>
                {next.at && <Due at={next.at} isOpen />}
              </span>
            ) : tasks?.rights.create ? (
              <UnstyledButton className={css.noStep} onClick={() => onCompose('task')}>
                <CircleAlert size={14} />
                No next step
              </UnstyledButton>
            ) : (
              <span className={css.step}>
                <CircleCheck size={14} /> None
              </span>
            )}
          </dd>
        </div>
      )}
      <div>
        <dt>Last activity</dt>
        <dd className={css.still}>
          {typeof record.last_activity_at === 'string' ? <Ago at={record.last_activity_at} /> : 'None yet'}
        </dd>
      </div>
    </>
  )
}

/** Nothing needs to follow after a deal was won or lost. */
function isClosedDeal(object: ObjectShape, record: RecordShape) {
  const field = stageFieldOf(object)
  const kind = field?.options?.find(({ key }) => key === record[field.key])?.kind
  return kind === 'won' || kind === 'lost'
}

const mostFacts = 3
const facts: Record<string, string[]> = {
  people: ['organization', 'job_title', 'status'],
  organizations: ['industry', 'country'],
  deals: ['amount', 'expected_close', 'organization'],
  leads: ['status', 'company_name', 'source'],
  tasks: ['status', 'due_at', 'assignee'],
  activities: ['kind', 'at', 'about'],
  products: ['price', 'sku'],
}
/** Missing, they are worth a look, too. */
const always = new Set(['amount', 'expected_close', 'due_at'])

const keyFields = (object: ObjectShape): FieldShape[] =>
  (facts[object.key]?.flatMap((key) => object.byKey.get(key) ?? []) ?? tellingFields(object)).slice(0, mostFacts)
