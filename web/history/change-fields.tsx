import { ArrowRight } from 'lucide-react'
import { FieldValue } from '../records/field-value.tsx'
import type { FieldShape, ObjectShape } from '../records/schema.ts'
import { isEmpty } from '../records/value-text.ts'
import css from './change-fields.module.css'
import type { Change } from './change-sets.ts'

type Props = { change: Change; object: ObjectShape | undefined }

/** Field by field what was and what is. Of something new, only what is. */
export function ChangeFields({ change: { action, fields }, object }: Props) {
  const places = new Map(object?.columns.map(({ key }, index) => [key, index]))
  const placeOf = (key: string) => places.get(key) ?? places.size
  const given = Object.entries(fields)
    .filter(([, { from, to }]) => !isEmpty(from) || !isEmpty(to))
    .sort(([a], [b]) => placeOf(a) - placeOf(b))
  if (!given.length) return null
  return (
    <dl className={css.fields}>
      {given.map(([key, { from, to }]) => {
        const field = object?.byKey.get(key)
        return (
          <div key={key} className={css.field}>
            <dt>{field?.label ?? nameOf(key)}</dt>
            <dd>
              {action !== 'created' && (
                <>
                  <del className={css.before}>
                    <Value field={field} value={from} />
                  </del>
                  <ArrowRight size={13} role="img" aria-label="is now" className={css.arrow} />
                </>
              )}
              <ins className={css.after}>
                <Value field={field} value={to} />
              </ins>
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

const nothing = <span className={css.nothing}>nothing</span>

/** A field that is archived by now, or of what is no record, shows what was stored. */
function Value({ field, value }: { field: FieldShape | undefined; value: unknown }) {
  if (isEmpty(value)) return nothing
  if (field?.type === 'long_text') return <span className={css.long}>{String(value)}</span>
  if (field) return <FieldValue field={field} value={value} />
  return <span className={css.long}>{typeof value === 'string' ? value : JSON.stringify(value)}</span>
}

const nameOf = (key: string) => key.charAt(0).toUpperCase() + key.slice(1).replaceAll('_', ' ')
