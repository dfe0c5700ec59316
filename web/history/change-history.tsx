import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ArrowRight, Bot, History } from 'lucide-react'
import { useSignedIn } from '../client/session.ts'
import { FieldValue } from '../records/field-value.tsx'
import { type FieldShape, type ObjectShape, useSchema } from '../records/schema.ts'
import { isEmpty } from '../records/value-text.ts'
import { Ago } from '../ui/ago.tsx'
import { Badge, Initials } from '../ui/avatar.tsx'
import { LoadedList } from '../ui/loaded.tsx'
import { asSecond } from '../ui/moments.ts'
import { Message } from '../ui/states.tsx'
import css from './change-history.module.css'
import { type Change, type ChangeSet, changesQuery } from './change-sets.ts'
import { verbOf } from './change-words.ts'
import { DoneBy } from './done-by.tsx'
import { UndoDialog, useUndo } from './undo.tsx'

/** What happened to one record, newest first. The person who did it and Admins can undo it. */
export function ChangeHistory({ record_id }: { record_id: string }) {
  const sets = useInfiniteQuery(changesQuery({ record_id }))
  const { undoOne, pendingId, question, ask } = useUndo()
  const none = (
    <Message icon={History} title="No changes yet">
      Changes to this record show here, with who made them.
    </Message>
  )
  return (
    <>
      <LoadedList query={sets} what="the history" height={160} empty={none}>
        {(items) => (
          <ol className={css.history} aria-label="Changes">
            {items.map((set) => (
              <Entry
                key={set.id}
                of={set}
                record_id={record_id}
                isPending={pendingId === set.id}
                onUndo={() => undoOne(set)}
              />
            ))}
          </ol>
        )}
      </LoadedList>
      {question && <UndoDialog of={question} onClose={() => ask(undefined)} />}
    </>
  )
}

type EntryProps = { of: ChangeSet; record_id: string; isPending: boolean; onUndo: () => void }

function Entry({ of: set, record_id, isPending, onUndo }: EntryProps) {
  const isUndone = set.undone_by !== null
  const objects = useSchema()
  const own = set.changes.filter((change) => change.record_id === record_id)
  const others = set.other_changes
  const actor = set.actor_name ?? 'Someone'
  const mayUndo = useMayUndo(set)
  return (
    <li className={css.entry}>
      <span className={css.face}>
        {set.api_key_id ? <Bot size={17} strokeWidth={1.75} aria-hidden="true" /> : <Initials name={actor} size={26} />}
      </span>
      <div className={css.head}>
        <span className={css.words}>
          <bdi className={css.actor}>{actor}</bdi> {set.undo_of ? 'undid an earlier change' : verbs(own)}
          {others > 0 && (others === 1 ? ', along with 1 other record' : `, along with ${others} other records`)}
          {isUndone && <Badge>Undone</Badge>}
        </span>
        <span className={css.when}>
          <Ago at={set.at} />
        </span>
      </div>
      <DoneBy of={set} />
      <div className={css.content}>
        {own.map((change) => (
          <ChangeFields key={change.action} change={change} object={objects.find(({ key }) => key === change.object)} />
        ))}
        {!isUndone && mayUndo && (
          <Button
            variant="default"
            size="compact-sm"
            className={css.undo}
            loading={isPending}
            onClick={onUndo}
            aria-label={`Undo the change of ${asSecond(set.at)}`}
          >
            Undo
          </Button>
        )}
      </div>
    </li>
  )
}

/** Others than Admins undo what they did themselves. */
function useMayUndo({ actor_id }: ChangeSet) {
  const { me } = useSignedIn()
  return me.role === 'Admin' || actor_id === me.id
}

const verbs = (changes: ChangeSet['changes']) => {
  const [only] = changes
  if (changes.length !== 1 || !only) return 'changed this'
  const count = Object.keys(only.fields).length
  if (only.action === 'updated') return count === 1 ? 'changed 1 field' : `changed ${count} fields`
  return `${verbOf(only.action).toLowerCase()} this`
}

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
