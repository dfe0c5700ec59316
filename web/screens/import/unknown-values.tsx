import type { JobDetails } from '../../client/jobs.ts'
import type { FieldShape } from '../../records/data/schema.ts'
import { FieldEditor } from '../../records/fields/field-editor.tsx'
import { asNumber } from '../../ui/text/numbers.ts'
import { AddStages } from './add-stages.tsx'
import type { MappedColumn } from './choices.ts'
import css from './import.module.css'

export type Meanings = Record<string, Record<string, string>>
type Unknown = NonNullable<NonNullable<JobDetails['result']>['unknown_values']>

/** Values of a column that do not exist, with what the user says they are called here. */
export type UnknownGroup = {
  label: string
  field: FieldShape
  /** Each with its rows, in the order of the file. */
  texts: [text: string, rows: number][]
  meaning: (text: string) => string | undefined
  choose: (text: string, meaning: string | undefined) => void
}

type Of = { unknown: Unknown; mapped: MappedColumn[]; values: Meanings; onChange: (values: Meanings) => void }

/** Those of one file. */
export const unknownGroups = ({ unknown, mapped, values, onChange }: Of): UnknownGroup[] =>
  mapped.flatMap(({ column, field }) => {
    const found = (unknown[column] ?? []).map(({ value, rows }): [string, number] => [value, rows])
    const counts = new Map(found)
    // What was chosen can be chosen again.
    const known = Object.keys(values[column] ?? {}).filter((text) => !counts.has(text))
    const texts = [...found, ...known.map((text): [string, number] => [text, 0])]
    const choose: UnknownGroup['choose'] = (text, meaning) =>
      onChange({ ...values, [column]: chosen(values[column], text, meaning) })
    return texts.length
      ? [{ label: column, field, texts, meaning: (text: string) => values[column]?.[text], choose }]
      : []
  })

export function chosen(before: Record<string, string> = {}, text: string, meaning: string | undefined) {
  const { [text]: _, ...others } = before
  return meaning ? { ...others, [text]: meaning } : others
}

const shown = 20

const mostFirst = (texts: UnknownGroup['texts']) => texts.toSorted(([, a], [, b]) => b - a).slice(0, shown)

/** Users and options that files name and that do not exist: whoever moves from another system says what they are here. */
export function UnknownValues({ groups }: { groups: UnknownGroup[] }) {
  if (!groups.length) return null
  return (
    <section className={css.unknown} aria-labelledby="unknown">
      <h3 id="unknown">Not in Kith yet</h3>
      <p className={css.hint}>
        Choose what these are called here, then check again. What you leave empty is added, left out or skipped, as
        chosen for its column.
      </p>
      {groups.map(({ label, field, texts, meaning, choose }) => (
        <fieldset key={label} className={css.missing}>
          <legend>{label}</legend>
          {mostFirst(texts).map(([text, count]) => (
            <FieldEditor
              key={text}
              field={single(field, text, count)}
              value={meaning(text) ?? null}
              onChange={(value) => choose(text, typeof value === 'string' && value ? value : undefined)}
            />
          ))}
          {texts.length > shown && <p className={css.hint}>And {asNumber(texts.length - shown)} more.</p>}
          <AddStages field={field} names={texts.flatMap(([text, count]) => (count && !meaning(text) ? [text] : []))} />
        </fieldset>
      ))}
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
