// What the page of a lead says beyond that of any record.
import { Button } from '@mantine/core'
import { ArrowRightLeft, CircleCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { FieldValue } from '../../../records/field-value.tsx'
import { convertedFields, firstResponse, isConverted, isLeads } from '../../../records/leads.ts'
import { builtInField } from '../../../records/pipelines.ts'
import type { RecordShape } from '../../../records/records-api.ts'
import { type ObjectShape, useSchema } from '../../../records/schema.ts'
import { isEmpty } from '../../../records/value-text.ts'
import { asFull } from '../../../ui/moments.ts'
import { asNumber } from '../../../ui/numbers.ts'
import facts from '../record/header.module.css'
import { useRights } from '../record/rights.ts'
import css from './convert.module.css'
import { ConvertDialog } from './convert-dialog.tsx'

type Props = { object: ObjectShape; record: RecordShape }

export const ConvertIcon = ArrowRightLeft

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
    <p className={css.converted} role="note">
      <CircleCheck size={16} aria-hidden="true" />
      Converted to
      {fields.map((field) => (
        <span key={field.key} className={css.result}>
          {schema.find(({ key }) => key === field.to_objects?.[0])?.label}
          <FieldValue field={field} value={record[field.key]} />
        </span>
      ))}
    </p>
  )
}

const tickMs = 20_000

/** How long the lead has waited or waits, and its score. */
export function LeadFacts({ object, record }: Props) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs)
    return () => clearInterval(timer)
  }, [])
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
          <dd className={facts.still}>{asNumber(Number(record[score.key]))}</dd>
        </div>
      )}
    </>
  )
}
