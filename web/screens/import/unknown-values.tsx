import { Button } from '@mantine/core'
import type { JobDetails } from '../../client/jobs.ts'
import type { FieldShape } from '../../records/data/schema.ts'
import { FieldEditor } from '../../records/fields/field-editor.tsx'
import { asNumber } from '../../ui/text/numbers.ts'
import type { MappedColumn } from './choices.ts'
import css from './import.module.css'

export type Meanings = Record<string, Record<string, string>>
type Props = {
  unknown: NonNullable<NonNullable<JobDetails['result']>['unknown_values']>
  mapped: MappedColumn[]
  values: Meanings
  /** Chosen since the check. */
  isChanged: boolean
  isPending: boolean
  onChange: (values: Meanings) => void
  onCheck: () => void
}

const shown = 20

/** Users and options that the file names and that do not exist: whoever moves from another system says what they are here. */
export function UnknownValues({ unknown, mapped, values, isChanged, isPending, onChange, onCheck }: Props) {
  const columns = mapped.flatMap(({ column, field }) => {
    const counts = unknown[column] ?? {}
    // What was chosen can be chosen again.
    const known = Object.keys(values[column] ?? {}).filter((text) => !(text in counts))
    const texts = [
      ...Object.entries(counts).toSorted(([, a], [, b]) => b - a),
      ...known.map((text) => [text, 0] as const),
    ]
    return texts.length ? [{ column, field, texts }] : []
  })
  if (!columns.length) return null
  return (
    <section className={css.unknown} aria-labelledby="unknown">
      <h3 id="unknown">Not in Kith yet</h3>
      <p className={css.hint}>
        Choose what these are called here, then check again. The others are handled as chosen under Matching.
      </p>
      {columns.map(({ column, field, texts }) => (
        <fieldset key={column} className={css.missing}>
          <legend>{column}</legend>
          {texts.slice(0, shown).map(([text, count]) => (
            <FieldEditor
              key={text}
              field={single(field, text, count)}
              value={values[column]?.[text] ?? null}
              onChange={(value) => onChange({ ...values, [column]: chosen(values[column], text, value) })}
            />
          ))}
          {texts.length > shown && <p className={css.hint}>And {asNumber(texts.length - shown)} more.</p>}
        </fieldset>
      ))}
      {isChanged && (
        <Button variant="default" className={css.again} loading={isPending} onClick={onCheck}>
          Check again
        </Button>
      )}
    </section>
  )
}

const rows = (count: number) => `${asNumber(count)} ${count === 1 ? 'row' : 'rows'}`

/** One value, whatever the field holds. */
const single = (field: FieldShape, text: string, count: number): FieldShape => ({
  ...field,
  label: text,
  description: count ? rows(count) : '',
  is_multi: false,
  is_required: false,
  type: field.type === 'multi_select' ? 'select' : field.type,
})

function chosen(before: Record<string, string> = {}, text: string, value: unknown) {
  const { [text]: _, ...others } = before
  return typeof value === 'string' && value ? { ...others, [text]: value } : others
}
