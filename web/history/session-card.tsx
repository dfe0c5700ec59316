import { Button, Checkbox } from '@mantine/core'
import { Bot, Clock, Filter, KeyRound, Sparkles, UserRound } from 'lucide-react'
import { ClientName } from '../keys/key-cells.tsx'
import { useSchema } from '../records/data/schema.ts'
import { Panel } from '../ui/basics/layout.tsx'
import { RowMenu } from '../ui/page/rows.tsx'
import { asDay, asTime } from '../ui/text/moments.ts'
import css from './activity.module.css'
import {
  type ActivitySearch,
  type ChangeSet,
  isUndoable,
  namedIn,
  type Session,
  useRecordTitles,
} from './change-sets.ts'
import { records } from './change-words.ts'
import { SetRow } from './set-row.tsx'
import { createsOf, type Question } from './undo.tsx'

const mostAtOnce = 100
const hourMs = 3_600_000

type Props = {
  of: Session
  picked: ReadonlySet<string>
  onPick: (ids: ReadonlySet<string>) => void
  pendingId: string | undefined
  onUndo: (set: ChangeSet) => void
  onAsk: (question: Question) => void
  onNarrow: ((to: Pick<ActivitySearch, 'key' | 'client'>) => void) | undefined
}

/** One client at work with one key: what it did, and a way back for all of it. */
export function SessionCard({ of: session, picked, onPick, pendingId, onUndo, onAsk, onNarrow }: Props) {
  const objects = useSchema()
  const { sets, client, api_key_id, api_key_name, actor_name } = session
  const titles = useRecordTitles(namedIn(sets))
  const open = sets.filter((set) => isUndoable(set, objects) && !set.undone_by)
  const chosen = open.filter(({ id }) => picked.has(id))
  const touched = new Set(sets.flatMap(({ changes }) => changes.map(({ record_id }) => record_id)))
  const isPerson = api_key_id === null
  const who = session.isKith ? 'Kith' : isPerson ? (actor_name ?? 'someone') : (client ?? 'this client')
  const Icon = session.isKith ? Sparkles : isPerson ? UserRound : Bot
  const where = session.isKith ? 'Automatically' : 'In the web app'
  const pickAll = (on: boolean) => {
    const rest = new Set(picked)
    for (const { id } of open) on ? rest.add(id) : rest.delete(id)
    onPick(rest)
  }
  const undoAll = () =>
    onAsk({
      title: open.length === 2 ? 'Undo both changes?' : `Undo these ${open.length} changes?`,
      what: { change_set_ids: open.map(({ id }) => id) },
      creates: createsOf(open),
    })
  const actions = [
    ...(client && api_key_id && session.isLatest
      ? [{ label: 'Undo last hour', icon: Clock, open: () => onAsk(lastHour(session, who)) }]
      : []),
    ...(client && onNarrow ? [{ label: 'Only this client', icon: Filter, open: () => onNarrow({ client }) }] : []),
    ...(api_key_id && onNarrow
      ? [{ label: 'Only this key', icon: KeyRound, open: () => onNarrow({ key: api_key_id }) }]
      : []),
  ]
  return (
    <Panel
      as="article"
      className={css.session}
      aria-label={isPerson ? `${who}, ${where.toLowerCase()}` : `${who}, key ${api_key_name ?? '(deleted)'}`}
    >
      <header className={css.head}>
        <Checkbox
          aria-label={`Select all changes by ${who}`}
          disabled={!open.length}
          checked={open.length > 0 && chosen.length === open.length}
          indeterminate={chosen.length > 0 && chosen.length < open.length}
          onChange={(event) => pickAll(event.currentTarget.checked)}
        />
        <span className={css.bot}>
          <Icon size={16} strokeWidth={1.75} />
        </span>
        <div className={css.who}>
          <h3>{isPerson ? <bdi>{who}</bdi> : <ClientName of={client} />}</h3>
          <span>
            {isPerson ? (
              where
            ) : (
              <>
                Key <bdi>{api_key_name ?? '(deleted)'}</bdi>, acting as <bdi>{actor_name ?? 'someone'}</bdi>
              </>
            )}
          </span>
        </div>
        <span className={css.span}>
          {spanOf(sets)}
          <span>
            {sets.length === 1 ? '1 change' : `${sets.length} changes`} to {records(touched.size)}
          </span>
        </span>
        {open.length > 1 && open.length <= mostAtOnce && (
          <Button
            variant="default"
            size="compact-sm"
            className={css.all}
            aria-label={`Undo all changes by ${who}`}
            onClick={undoAll}
          >
            Undo all
          </Button>
        )}
        {actions.length > 0 && <RowMenu of={who} actions={actions} />}
      </header>
      <ul className={css.sets} aria-label={`Changes by ${who}`}>
        {sets.map((set) => (
          <SetRow
            key={set.id}
            of={set}
            titles={titles}
            canUndo={isUndoable(set, objects)}
            isPicked={picked.has(set.id)}
            isPending={pendingId === set.id}
            onPick={(on) => {
              const next = new Set(picked)
              on ? next.add(set.id) : next.delete(set.id)
              onPick(next)
            }}
            onUndo={() => onUndo(set)}
          />
        ))}
      </ul>
    </Panel>
  )
}

/** The hour that ends with the last thing it did: an agent that went wrong in the night is found in the morning. */
function lastHour({ sets, client, api_key_id }: Session, who: string): Question {
  const last = Date.parse(sets[0]!.at)
  const [since, until] = [last - hourMs, last + 1].map((moment) => new Date(moment).toISOString()) as [string, string]
  return {
    title: `Undo the last hour of changes by ${who}?`,
    about: `Its changes on ${asDay(until)} from ${asTime(since)} to ${asTime(until)}.`,
    what: { api_key_id: api_key_id!, client: client!, since, until },
    creates: 'some',
  }
}

function spanOf(sets: ChangeSet[]) {
  const [from, to] = [asTime(sets.at(-1)!.at), asTime(sets[0]!.at)]
  return from === to ? to : `${from} – ${to}`
}
