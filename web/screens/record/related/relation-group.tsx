import { Link } from '@tanstack/react-router'
import { Link2, Plus, Unlink } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { isId } from '../../../../contract/shared/ids.ts'
import { inSentence } from '../../../../contract/shared/in-sentence.ts'
import { openCreate } from '../../../records/data/open-create.ts'
import type { RecordShape, Titled } from '../../../records/data/records-api.ts'
import { useRights } from '../../../records/data/rights.ts'
import { type ObjectShape, useSchema } from '../../../records/data/schema.ts'
import { asShortMoney, type Money } from '../../../records/data/value-text.ts'
import { FieldEditor } from '../../../records/fields/field-editor.tsx'
import { FieldValue } from '../../../records/fields/field-value.tsx'
import { RecordFace } from '../../../records/fields/record-face.tsx'
import { IconButton } from '../../../ui/basics/icon-button.tsx'
import { Panel } from '../../../ui/basics/layout.tsx'
import { asNumber } from '../../../ui/text/numbers.ts'
import css from './related.module.css'
import { factsOf, type Relation, useLinks } from './relations.ts'

type Props = {
  object: ObjectShape
  record: RecordShape
  relation: Relation
  entries: Entry[]
  count: number
  /** Where the rest of a long list is. */
  rest?: ReactNode
}

export function RelationGroup({ object, record, relation, entries, count, rest }: Props) {
  const { way, field, other, label } = relation
  const id = useId()
  const [isLinking, setLinking] = useState(false)
  const { link, unlink, pendingId } = useLinks(object, record, relation)
  const own = useRights(object)
  const theirs = useRights(other)
  const mayLink = way === 'out' ? own.mayEdit(record) : other?.rights.edit !== 'none'
  const mayUnlink = (entry: Entry) =>
    !(field.is_required && count === 1) &&
    !field.is_read_only &&
    (way === 'out' ? own.mayEdit(record) : entry.record !== undefined && theirs.mayEdit(entry.record))
  const isFull = way === 'out' && !field.is_multi && count > 0
  const commit = (chosen: unknown) => {
    setLinking(false)
    if (typeof chosen === 'string' && isId(chosen) && chosen !== record.id) link(chosen)
  }
  return (
    <section className={css.group} aria-labelledby={id}>
      <header className={css.head}>
        <h3>
          <span id={id}>{label}</span> {count > 0 && <span className={css.count}>{asNumber(count)}</span>}
        </h3>
        {mayLink && !field.is_read_only && !isFull && (
          <IconButton
            icon={Link2}
            label={`Link to ${label}`}
            size={26}
            title="Link existing"
            onClick={() => setLinking(true)}
          />
        )}
        {way === 'in' && other?.rights.create && (
          <IconButton
            icon={Plus}
            label={`New ${inSentence(other.label)}`}
            size={26}
            onClick={() => openCreate(other.key, { [field.key]: field.is_multi ? [record.id] : record.id })}
          />
        )}
      </header>
      {isLinking && (
        <div className={css.picker}>
          <FieldEditor
            variant="cell"
            autoFocus
            field={{
              ...field,
              label: `Link to ${label}`,
              is_multi: false,
              is_required: true,
              to_objects: targets(relation),
            }}
            value={null}
            onChange={() => {}}
            onCommit={commit}
            onCancel={() => setLinking(false)}
          />
        </div>
      )}
      {entries.length > 0 && (
        <Panel as="ul" className={css.list}>
          {entries.map((entry) => (
            <RelatedRow
              key={entry.id}
              of={entry}
              isBusy={pendingId === entry.id}
              onUnlink={mayUnlink(entry) ? () => unlink(entry.id) : undefined}
            />
          ))}
        </Panel>
      )}
      {rest}
    </section>
  )
}

const targets = ({ way, field, other }: Relation) => (way === 'in' ? [other!.key] : (field.to_objects ?? []))

type Entry = Titled & { record?: RecordShape | undefined }
type RelatedRowProps = { of: Entry; onUnlink?: (() => void) | undefined; isBusy: boolean }

/** A related record: what it is called, and what tells most about it. */
function RelatedRow({ of: { object: key, id, title, is_private, record }, onUnlink, isBusy }: RelatedRowProps) {
  const object = useSchema().find((one) => one.key === key)
  return (
    <li className={css.row} data-busy={isBusy || undefined}>
      {is_private ? (
        <span className={css.title}>
          <span dir="auto">{title}</span>
        </span>
      ) : (
        <Link to="/records/$object/$id" params={{ object: key, id }} className={css.title}>
          <RecordFace object={key} title={title} size={24} id={id} />
          <span dir="auto">{title}</span>
        </Link>
      )}
      <dl className={css.facts}>
        {object &&
          factsOf(object, record).map(({ field, value }) => (
            <div key={field.key}>
              <dt>{field.label}</dt>
              <dd>
                {field.type === 'money' ? asShortMoney(value as Money) : <FieldValue field={field} value={value} />}
              </dd>
            </div>
          ))}
      </dl>
      {onUnlink && (
        <IconButton
          icon={Unlink}
          label={`Unlink ${title}`}
          size={28}
          className={css.unlink}
          title="Unlink"
          disabled={isBusy}
          onClick={onUnlink}
        />
      )}
    </li>
  )
}
