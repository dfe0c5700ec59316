import { Button, Skeleton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Bot, History } from 'lucide-react'
import { useSignedIn } from '../client/session.ts'
import { useSchema } from '../records/schema.ts'
import { Ago } from '../ui/ago.tsx'
import { Badge } from '../ui/badge.tsx'
import { Failure } from '../ui/failure.tsx'
import { Initials } from '../ui/initials.tsx'
import { Message } from '../ui/message.tsx'
import { asSecond } from '../ui/moments.ts'
import { Results } from '../ui/results.tsx'
import { ChangeFields } from './change-fields.tsx'
import css from './change-history.module.css'
import { type ChangeSet, changesQuery } from './change-sets.ts'
import { verbOf } from './change-words.ts'
import { DoneBy } from './done-by.tsx'
import { useUndo } from './undo.ts'
import { UndoDialog } from './undo-dialog.tsx'

/** What happened to one record, newest first; with a way back for whoever did it, and for Admins. */
export function ChangeHistory({ record_id }: { record_id: string }) {
  const sets = useInfiniteQuery(changesQuery({ record_id }))
  const { undoOne, pendingId, question, ask } = useUndo()
  if (sets.isPending) return <Skeleton height={160} radius="lg" role="status" aria-label="Loading the history" />
  if (sets.isError && !sets.data) return <Failure error={sets.error} onRetry={sets.refetch} busy={sets.isFetching} />
  const items = sets.data.pages.flatMap((page) => page.items)
  if (!items.length)
    return (
      <Message icon={History} title="No changes yet">
        Changes to this record show here, with who made them.
      </Message>
    )
  return (
    <>
      <Results of={sets}>
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
      </Results>
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
