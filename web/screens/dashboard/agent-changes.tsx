import { ActionIcon, Button, Tooltip, UnstyledButton } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Bot, Check, ChevronRight, Undo2 } from 'lucide-react'
import { useId, useState } from 'react'
import { pages } from '../../../contract/shared/pages.ts'
import { api } from '../../client/api.ts'
import { apiConnectors } from '../../client/areas.ts'
import {
  type ChangeSet,
  isUndoable,
  namedIn,
  type Session,
  sessionsOf,
  useRecordTitles,
} from '../../history/change-sets.ts'
import { detailsIn } from '../../history/change-words.ts'
import { Diffs, wordsOf } from '../../history/set-row.tsx'
import { createsOf, UndoDialog, useUndo } from '../../history/undo.tsx'
import { ClientName } from '../../keys/key-cells.tsx'
import { useSchema } from '../../records/data/schema.ts'
import { IconButton } from '../../ui/basics/icon-button.tsx'
import { ButtonLink } from '../../ui/basics/links.tsx'
import { complain, say } from '../../ui/basics/notices.tsx'
import { Message } from '../../ui/basics/states.tsx'
import { Ago } from '../../ui/text/ago.tsx'
import { asNearDay } from '../../ui/text/moments.ts'
import { useDashboardsChanged, type WidgetAnswer } from './dashboard-api.ts'
import { WidgetCard } from './widget-card.tsx'
import css from './widgets.module.css'

/** What agents changed and no one has reviewed yet: "Mark as reviewed" takes it off the list, "Undo" reverts it. */
export function AgentChanges({ title, of: { change_sets: sets } }: { title: string; of: WidgetAnswer }) {
  const undo = useUndo()
  const review = useReview()
  const sessions = sessionsOf(sets)
  return (
    <WidgetCard
      title={title}
      subtitle="Since yesterday"
      action={
        <Link to={pages.activity} className={css.more}>
          All activity
        </Link>
      }
    >
      {sessions.length ? (
        sessions.map((session) => <AgentSession key={session.id} of={session} undo={undo} review={review} />)
      ) : (
        <Message
          size="small"
          icon={Bot}
          action={
            <ButtonLink to={apiConnectors} variant="default" size="compact-sm">
              Connect an agent
            </ButtonLink>
          }
        >
          Nothing to review. What agents change appears here.
        </Message>
      )}
      {undo.question && <UndoDialog of={undo.question} onClose={() => undo.ask(undefined)} />}
    </WidgetCard>
  )
}

type Acts = { undo: ReturnType<typeof useUndo>; review: ReturnType<typeof useReview> }

function useReview() {
  const changed = useDashboardsChanged()
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (ids: string[]) => api.reviewChanges({ change_set_ids: ids }),
    onSuccess: ({ reviewed }) => say(reviewed === 1 ? '1 change reviewed.' : `${reviewed} changes reviewed.`),
    onError: (error) => complain('This could not be saved', error),
    onSettled: () => changed(),
  })
  return { mark: mutate, isPending: (id: string) => isPending && variables.includes(id) }
}

function AgentSession({ of: session, undo, review }: { of: Session } & Acts) {
  const objects = useSchema()
  const { sets, client, api_key_name, actor_name } = session
  const titles = useRecordTitles(namedIn(sets))
  const open = sets.filter((set) => isUndoable(set, objects))
  const who = client ?? api_key_name ?? 'this agent'
  const undoAll = () => {
    if (open.length === 1) return undo.undoOne(open[0]!)
    undo.ask({
      title: open.length === 2 ? 'Undo both changes?' : `Undo these ${open.length} changes?`,
      what: { change_set_ids: open.map(({ id }) => id) },
      creates: createsOf(open),
    })
  }
  return (
    <section className={css.session} aria-label={`Changes by ${who}`}>
      <header>
        <span className={css.bot}>
          <Bot size={15} strokeWidth={1.75} />
        </span>
        <div className={css.what}>
          <h3>
            <ClientName of={client} />
          </h3>
          <span className={css.note}>
            <bdi>{api_key_name ?? 'Deleted key'}</bdi> of <bdi>{actor_name ?? 'someone'}</bdi>, {asNearDay(sets[0]!.at)}
          </span>
        </div>
        <Button
          size="compact-sm"
          variant="light"
          className={css.act}
          loading={review.isPending(sets[0]!.id)}
          aria-label={`Mark as reviewed: all changes by ${who}`}
          onClick={() => review.mark(sets.map(({ id }) => id))}
        >
          Mark as reviewed
        </Button>
        {open.length > 0 && (
          <Button
            size="compact-sm"
            variant="default"
            className={css.act}
            loading={open.length === 1 && undo.pendingId === open[0]!.id}
            aria-label={`Undo all changes by ${who}`}
            onClick={undoAll}
          >
            Undo
          </Button>
        )}
      </header>
      <ul className={css.list}>
        {sets.map((set) => (
          <SetLine key={set.id} of={set} titles={titles} isAlone={sets.length === 1} undo={undo} review={review} />
        ))}
      </ul>
    </section>
  )
}

type LineProps = { of: ChangeSet; titles: Map<string, string>; isAlone: boolean } & Acts

function SetLine({ of: set, titles, isAlone, undo, review }: LineProps) {
  const [isOpen, setOpen] = useState(false)
  const objects = useSchema()
  const id = useId()
  const [what, title] = wordsOf(set, titles, objects)
  const words = title ? `${what} ${title}` : what
  return (
    <li className={css.set}>
      <div className={css.setLine}>
        <UnstyledButton
          className={css.fold}
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronRight size={13} />
          <span className={css.words} dir="auto">
            <span className={css.dim}>{what}</span> {title && <bdi>{title}</bdi>}{' '}
            <span className={css.dim}>{detailsIn(set, objects)}</span>
          </span>
          <span className={css.end}>
            <Ago at={set.at} />
          </span>
        </UnstyledButton>
        {!isAlone && (
          <>
            <Tooltip label="Mark as reviewed">
              <ActionIcon
                variant="subtle"
                className={css.icon}
                aria-label={`Mark as reviewed: ${words}`}
                loading={review.isPending(set.id)}
                onClick={() => review.mark([set.id])}
              >
                <Check size={15} />
              </ActionIcon>
            </Tooltip>
            {isUndoable(set, objects) && (
              <Tooltip label="Undo">
                <IconButton
                  title={false}
                  icon={Undo2}
                  label={`Undo: ${words}`}
                  size={28}
                  className={css.icon}
                  loading={undo.pendingId === set.id}
                  onClick={() => undo.undoOne(set)}
                />
              </Tooltip>
            )}
          </>
        )}
      </div>
      {isOpen && <Diffs id={id} changes={set.changes} objects={objects} />}
      {isOpen && set.other_changes > 0 && (
        <Link to={pages.activity} className={css.more}>
          And {set.other_changes} more
        </Link>
      )}
    </li>
  )
}
