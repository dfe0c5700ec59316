import { Button, Menu, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowRight, Bot, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { api } from '../client/api.ts'
import { leadSourcePage } from '../client/areas.ts'
import { useSignedIn } from '../client/session.ts'
import { type FieldShape, type ObjectShape, useSchema } from '../records/data/schema.ts'
import { isEmpty } from '../records/data/value-text.ts'
import { FieldValue } from '../records/fields/field-value.tsx'
import { type FileValue, filesIn } from '../records/files/files.ts'
import { Badge, Initials } from '../ui/basics/avatar.tsx'
import { TimelineEntry } from '../ui/page/timeline.tsx'
import { asSecond } from '../ui/text/moments.ts'
import { useNames } from '../users/users.ts'
import css from './change-entry.module.css'
import type { Change, ChangeSet } from './change-sets.ts'
import {
  actorIn,
  conversion,
  eventIn,
  mergeIn,
  moveIn,
  records,
  submissionIn,
  undoneIn,
  verbOf,
} from './change-words.ts'
import { DoneBy } from './done-by.tsx'
import type { useUndo } from './undo.tsx'

type EntryProps = { of: ChangeSet; record_id: string; undo: ReturnType<typeof useUndo> }

/** So many fields are shown without a click. */
const mostShown = 2

/** A change of one record. The person who made it and Admins can undo it. */
export function ChangeEntry({ of: set, record_id, undo }: EntryProps) {
  const objects = useSchema()
  const own = set.changes.filter((change) => change.record_id === record_id)
  const isUpdate = own.every(({ action }) => action === 'updated')
  const nameOf = useNames()
  const merge = mergeIn(set, own, objects)
  const move = merge ?? moveIn(own, objects) ?? eventIn(own, objects, nameOf)
  const undoing = set.undo_of && `undid “${undoneIn(own, objects, nameOf)}”`
  const submission = set.principal?.kind === 'source' ? submissionIn(own, objects) : undefined
  const [isOpen, setOpen] = useState(
    isUpdate && !move && own.flatMap(({ fields }) => Object.keys(fields)).length <= mostShown,
  )
  const actor = actorIn(set)
  return (
    <TimelineEntry
      tone="quiet"
      icon={set.api_key_id ? <Bot size={17} strokeWidth={1.75} /> : <Initials name={actor} size={22} />}
      at={set.at}
      head={
        <>
          {submission ? (
            <>
              {submission.isNew ? 'Submitted via' : 'Submitted again via'}
              <bdi className={css.actor}>{actor}</bdi>
            </>
          ) : (
            <bdi className={css.actor}>{actor}</bdi>
          )}
          <UnstyledButton className={css.words} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {submission ? countOf(own) : set.undo_of ? undoing : (move ?? verbs(own))}
            {!submission && !merge && set.other_changes > 0 && `, along with ${others(set.other_changes)}`}
            <ChevronRight size={13} className={css.fold} />
          </UnstyledButton>
          {set.undone_by !== null && <Badge>Undone</Badge>}
          {set.via !== 'web' && !submission && <DoneBy of={set} />}
        </>
      }
      // Of a new lead there is no earlier state: it is deleted, or its submission marked as spam.
      actions={
        !submission?.isNew && (
          <UndoButton
            of={set}
            record_id={record_id}
            undo={undo}
            isWhole={set.other_changes === 0 || move === conversion || set.merged !== null}
          />
        )
      }
    >
      {typeof submission?.message === 'string' && (
        <p className={css.message} dir="auto">
          {submission.message}
        </p>
      )}
      {submission ? (
        <p className={css.submission}>
          {isAddress(submission.page) && (
            <a href={submission.page} target="_blank" rel="noreferrer">
              {submission.page.replace(/^https?:\/\//, '')}
            </a>
          )}
          {submission.hasConsent && <span>Consent given</span>}
          <SubmissionLink lead_id={record_id} at={set.at} />
        </p>
      ) : null}
      {isOpen &&
        own.map((change) => (
          <ChangeFields key={change.action} change={change} object={objects.find(({ key }) => key === change.object)} />
        ))}
    </TimelineEntry>
  )
}

const others = (count: number) => (count === 1 ? '1 other record' : `${count} other records`)

/** To the submission as it came, for those who manage forms. */
function SubmissionLink({ lead_id, at }: { lead_id: string; at: string }) {
  const { may } = useSignedIn()
  const { data } = useQuery({
    queryKey: ['website-leads', 'submissions', { lead_id }],
    queryFn: () => api.listLeadSubmissions({ lead_id, limit: 50 }),
    enabled: may('leads.manage'),
  })
  const submission = data?.items.find(({ processed_at }) => processed_at === at)
  if (!submission) return null
  return (
    <Link
      to={leadSourcePage}
      params={{ id: submission.source_id }}
      search={{ tab: 'submissions', submission: submission.id }}
    >
      Open submission
    </Link>
  )
}

/** Others than Admins undo what they did themselves. `isWhole`: there is nothing to choose. */
function UndoButton({ of: set, record_id, undo, isWhole }: EntryProps & { isWhole: boolean }) {
  const { me } = useSignedIn()
  if (set.undone_by !== null || (me.role !== 'Admin' && set.actor_id !== me.id)) return null
  const button = (
    <Button
      variant="default"
      size="compact-xs"
      loading={undo.pendingId === set.id}
      aria-label={`Undo the change from ${asSecond(set.at)}`}
      {...(isWhole && { onClick: () => undo.undoOne(set) })}
    >
      Undo
    </Button>
  )
  if (isWhole) return button
  return (
    <Menu position="bottom-end">
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown aria-label="Undo">
        <Menu.Item onClick={() => undo.undoOne(set, record_id)}>For this record only</Menu.Item>
        <Menu.Item onClick={() => undo.undoOne(set)}>For all {records(set.other_changes + 1)}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

const isAddress = (value: unknown): value is string => typeof value === 'string' && /^https?:\/\//.test(value)

const countOf = (changes: Change[]) => {
  const count = changes.flatMap(({ fields }) => Object.keys(fields)).length
  return count === 1 ? '1 field' : `${count} fields`
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
              {action !== 'created' && field?.type === 'file' ? (
                <FileChanges field={field} from={filesIn(from)} to={filesIn(to)} />
              ) : (
                <>
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
                </>
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

type FilesProps = { field: FieldShape; from: FileValue[]; to: FileValue[] }

/** Which files came and went. Those that stayed would hide it. */
function FileChanges({ field, from, to }: FilesProps) {
  const without = (some: FileValue[], others: FileValue[]) =>
    some.filter(({ id }) => !others.some((other) => other.id === id))
  const [removed, added] = [without(from, to), without(to, from)]
  return (
    <>
      {removed.length > 0 && (
        <del className={css.before}>
          Removed <FieldValue field={field} value={removed} />
        </del>
      )}
      {added.length > 0 && (
        <ins className={css.after}>
          Added <FieldValue field={field} value={added} />
        </ins>
      )}
    </>
  )
}

const nothing = <span className={css.nothing}>nothing</span>

/** A field that has since been archived, or that does not belong to a record, shows the stored value. */
function Value({ field, value }: { field: FieldShape | undefined; value: unknown }) {
  if (isEmpty(value)) return nothing
  if (field?.type === 'long_text') return <span className={css.long}>{String(value)}</span>
  if (field) return <FieldValue field={field} value={value} />
  return <span className={css.long}>{typeof value === 'string' ? value : JSON.stringify(value)}</span>
}

const nameOf = (key: string) => key.charAt(0).toUpperCase() + key.slice(1).replaceAll('_', ' ')
