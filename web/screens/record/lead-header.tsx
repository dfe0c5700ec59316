// What the page of a lead says beyond that of any record.
import { Button, Popover, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck, Send, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { pages } from '../../../contract/shared/pages.ts'
import { api } from '../../client/api.ts'
import { useSignedIn } from '../../client/session.ts'
import { conversion, eventIn } from '../../history/change-words.ts'
import { UndoDialog, useUndo } from '../../history/undo.tsx'
import css from '../../leads/convert.module.css'
import { ConvertDialog, ConvertIcon } from '../../leads/convert.tsx'
import { builtInField } from '../../records/data/built-in.ts'
import { convertedFields, firstResponse, isConverted, isLeads } from '../../records/data/leads.ts'
import type { RecordShape } from '../../records/data/records-api.ts'
import { useRights } from '../../records/data/rights.ts'
import { type ObjectShape, useSchema } from '../../records/data/schema.ts'
import { isEmpty, textOf } from '../../records/data/value-text.ts'
import { FieldValue } from '../../records/fields/field-value.tsx'
import { Loaded } from '../../ui/basics/loaded.tsx'
import { ItemLink } from '../../ui/basics/menu-links.tsx'
import { asFull } from '../../ui/text/moments.ts'
import { useNow } from '../../ui/text/now.ts'
import { asNumber } from '../../ui/text/numbers.ts'
import facts from './header.module.css'

type Props = { object: ObjectShape; record: RecordShape }

/** A lead that was converted has no button: it says what it became. */
export function ConvertButton({ object, record }: Props) {
  const [isOpen, setOpen] = useState(false)
  const { mayEdit } = useRights(object)
  if (!isLeads(object) || isConverted(object, record) || !mayEdit(record)) return null
  return (
    <>
      <Button size="xs" leftSection={<ConvertIcon size={14} aria-hidden="true" />} onClick={() => setOpen(true)}>
        Convert
      </Button>
      {isOpen && <ConvertDialog lead={record} onClose={() => setOpen(false)} />}
    </>
  )
}

export function ConvertedTo({ object, record }: Props) {
  const schema = useSchema()
  const fields = isLeads(object) && isConverted(object, record) ? convertedFields(object, record) : []
  if (!fields.length) return null
  return (
    <div className={css.converted} role="note">
      <CircleCheck size={16} />
      Converted to
      {fields.map((field) => (
        <span key={field.key} className={css.result}>
          {schema.find(({ key }) => key === field.to_objects?.[0])?.label}
          <FieldValue field={field} value={record[field.key]} />
        </span>
      ))}
      <UndoConversion lead={record} />
    </div>
  )
}

/** Takes back all that the conversion did, for as long as it is in the history. */
function UndoConversion({ lead }: { lead: RecordShape }) {
  const { me } = useSignedIn()
  const undo = useUndo()
  const objects = useSchema()
  const { data } = useQuery({
    queryKey: ['changes', 'conversion', lead.id, lead.version],
    queryFn: () => api.listChanges({ record_id: lead.id, limit: 50 }),
  })
  const set = data?.items.find(
    ({ changes, undone_by }) => undone_by === null && eventIn(changes, objects, String) === conversion,
  )
  if (!set || (me.role !== 'Admin' && set.actor_id !== me.id)) return null
  return (
    <>
      <Button
        className={css.undo ?? ''}
        variant="default"
        size="compact-sm"
        leftSection={<Undo2 size={13} />}
        loading={undo.pendingId === set.id}
        onClick={() => undo.undoOne(set)}
      >
        Undo conversion
      </Button>
      {undo.question && <UndoDialog of={undo.question} onClose={() => undo.ask(undefined)} />}
    </>
  )
}

/** How long the lead has waited or waits, and its score. */
export function LeadFacts({ object, record }: Props) {
  const now = useNow()
  const response = firstResponse(object, record, now)
  const score = builtInField(object, 'score')
  return (
    <>
      {response && (
        <div>
          <dt>First response</dt>
          <dd className={facts.still}>
            <time dateTime={response.at} title={asFull(response.at)} className={css.response} data-tone={response.tone}>
              {response.words}
            </time>
          </dd>
        </div>
      )}
      {score && !isEmpty(record[score.key]) && (
        <div>
          <dt>{score.label}</dt>
          <dd className={facts.still}>
            <Score lead={record} points={Number(record[score.key])} />
          </dd>
        </div>
      )}
      <Sending object={object} record={record} />
    </>
  )
}

/** With the rules that give it, one click away. */
function Score({ lead, points }: { lead: RecordShape; points: number }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" width={260} shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton className={css.score} aria-label={`Score ${points}: show why`} onClick={() => setOpen(!isOpen)}>
          {asNumber(points)}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown aria-label="Rules behind this score">
        <ScoreRules lead={lead} />
      </Popover.Dropdown>
    </Popover>
  )
}

function ScoreRules({ lead }: { lead: RecordShape }) {
  const rules = useQuery({
    queryKey: ['lead-score', lead.id, lead.version],
    queryFn: () => api.getLeadScore({ id: lead.id }),
  })
  return (
    <Loaded query={rules} what="the score rules" height={40}>
      {({ items }) =>
        items.length ? (
          <ul className={css.rules}>
            {items.map(({ name, points }) => (
              <li key={name}>
                <bdi>{name}</bdi>
                <span>
                  {points > 0 && '+'}
                  {asNumber(points)}
                </span>
              </li>
            ))}
          </ul>
        ) : (
          <p className={css.noRules}>No score rule matches this lead.</p>
        )
      }
    </Loaded>
  )
}

/** Who took the lead when it was sent on, and the way to why. */
function Sending({ object, record }: Props) {
  const { may } = useSignedIn()
  const [state, takers] = ['sending', 'delivered_to'].map((key) => builtInField(object, key))
  if (!state || isEmpty(record[state.key])) return null
  const names = [(takers && record[takers.key]) ?? []].flat().join(', ')
  const words = names ? `Delivered to ${names}` : textOf(state, record[state.key])
  return (
    <div>
      <dt>{state.label}</dt>
      <dd className={facts.still}>
        {may('lead_sending.manage') ? (
          <Link to={pages.leadSending} search={{ tab: 'deliveries', lead: record.id }} className={css.sending}>
            <bdi>{words}</bdi>
          </Link>
        ) : (
          <bdi>{words}</bdi>
        )}
      </dd>
    </div>
  )
}

/** For those who manage lead sending: the trace of a lead, also of one that no route could place. */
export function TraceItem({ object, record }: Props) {
  const { may } = useSignedIn()
  if (!isLeads(object) || !may('lead_sending.manage')) return null
  return (
    <ItemLink to={pages.leadSending} search={{ tab: 'deliveries', lead: record.id }} leftSection={<Send size={14} />}>
      Lead sending
    </ItemLink>
  )
}
