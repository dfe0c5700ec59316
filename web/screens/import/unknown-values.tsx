import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { companySections } from '../../client/areas.ts'
import type { JobDetails } from '../../client/jobs.ts'
import { useSignedIn } from '../../client/session.ts'
import type { FieldShape } from '../../records/data/schema.ts'
import { FieldEditor } from '../../records/fields/field-editor.tsx'
import { AnchorLink } from '../../ui/basics/links.tsx'
import { asNumber } from '../../ui/text/numbers.ts'
import { knownUsersQuery } from '../../users/users.ts'
import { AddStages } from './add-stages.tsx'
import type { MappedColumn } from './choices.ts'
import css from './import.module.css'
import { likelyUser } from './likely-user.ts'

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
      {groups.map((group) => (
        <Group key={group.label} of={group} />
      ))}
    </section>
  )
}

function Group({ of: { label, field, texts, meaning, choose } }: { of: UnknownGroup }) {
  const likely = useLikelyUsers(field)
  const left = texts.flatMap(([text, count]) => (count && !meaning(text) ? [text] : []))
  return (
    <fieldset className={css.missing}>
      <legend>{label}</legend>
      {mostFirst(texts).map(([text, count]) => {
        const user = left.includes(text) ? likely(text) : undefined
        return (
          <div key={text} className={css.unknownValue}>
            <FieldEditor
              field={single(field, text, count)}
              value={meaning(text) ?? null}
              onChange={(value) => choose(text, typeof value === 'string' && value ? value : undefined)}
            />
            {user && (
              <Button variant="default" size="compact-sm" onClick={() => choose(text, user.id)}>
                It’s {user.name}
              </Button>
            )}
          </div>
        )
      })}
      {texts.length > shown && <p className={`${css.hint} ${css.wide}`}>And {asNumber(texts.length - shown)} more.</p>}
      {field.type === 'user' && left.length > 0 && <InviteHint />}
      <AddStages field={field} names={left} />
    </fieldset>
  )
}

/** Doubtful, so it is offered and not assumed. */
function useLikelyUsers({ type }: FieldShape) {
  const { data } = useQuery({ ...knownUsersQuery, enabled: type === 'user' })
  const users = data ? [...data.values()] : []
  return (text: string) => likelyUser(text, users)
}

function InviteHint() {
  const { may } = useSignedIn()
  if (!may('members.manage')) return null
  return (
    <p className={`${css.hint} ${css.wide}`}>
      Someone is not a member yet?{' '}
      <AnchorLink to={companySections.members.to} target="_blank">
        Invite them
      </AnchorLink>{' '}
      in a new tab, then check again. Invited people can own records before they join.
    </p>
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
