import { Select } from '@mantine/core'
import { X } from 'lucide-react'
import { useState } from 'react'
import { type ObjectRights, type RecordRights, rightsOn } from '../../../../contract/shared/access.ts'
import type { ObjectShape } from '../../../records/data/schema.ts'
import { type Look, ObjectIcon } from '../../../records/fields/object-icon.tsx'
import { type Level, levelOf, levels, rightsOfLevel } from '../../../roles/access.ts'
import { rightsInWords } from '../../../roles/grants.ts'
import { nameOfObject, objectsOf, others, type Right, useObjects, withRight } from '../../../roles/roles.ts'
import { IconButton } from '../../../ui/basics/icon-button.tsx'
import { Panel, Part } from '../../../ui/basics/layout.tsx'
import { StatusNote } from '../../../ui/basics/status.tsx'
import css from './access-editor.module.css'
import { RightChoice } from './right-choice.tsx'

type Props = { records: RecordRights; onChange?: (records: RecordRights) => void }

const unknown: Look = { icon: 'box', color: 'gray' }

/** What a role may do with records: a default, and the objects for which it differs. Without `onChange`, only to read. */
export function AccessEditor({ records, onChange }: Props) {
  const objects = useObjects()
  const excepted = objectsOf(records, objects).filter((key) => key in records)
  const isLimited = [others, ...excepted].some((key) => rightsOn(records, key).read !== 'all')
  const set = (key: string) => onChange && ((rights: ObjectRights) => onChange({ ...records, [key]: rights }))
  const entry = (key: string) => ({
    object: objects.find((one) => one.key === key) ?? unknown,
    name: nameOfObject(key, objects),
    rights: rightsOn(records, key),
    onChange: set(key),
  })
  return (
    <Part title="Access to records" className={css.part}>
      <Panel divided>
        <Access
          name="Default access"
          note="For every object without an exception, including new ones."
          rights={rightsOn(records, others)}
          onChange={set(others)}
        />
        {isLimited && (
          <div className={css.inbox}>
            <StatusNote tone="warn">
              This does not limit the inbox: everyone can read all conversations in team and shared channels.
            </StatusNote>
          </div>
        )}
        {excepted.length > 0 && (
          <ul aria-label="Exceptions" className={css.exceptions}>
            {excepted.map((key) => (
              <li key={key}>
                <Access {...entry(key)} onRemove={onChange && (() => onChange(without(records, key)))} />
              </li>
            ))}
          </ul>
        )}
        {onChange && (
          <AddException
            objects={objects.filter(({ key }) => !(key in records))}
            onAdd={(key) => onChange({ ...records, [key]: rightsOn(records, others) })}
          />
        )}
      </Panel>
    </Part>
  )
}

type AccessProps = {
  name: string
  note?: string
  object?: Look
  rights: ObjectRights
  onChange?: ((rights: ObjectRights) => void) | undefined
  onRemove?: (() => void) | undefined
}

function Access({ name, note, object, rights, onChange, onRemove }: AccessProps) {
  const [isCustom, setCustom] = useState(false)
  const level = isCustom ? 'custom' : levelOf(rights)
  const choose = (next: Level) => {
    setCustom(next === 'custom')
    if (next !== 'custom') onChange?.(rightsOfLevel[next])
  }
  const words = level === 'custom' ? rightsInWords(rights) : levels.find(({ value }) => value === level)!.about
  return (
    <div className={css.access}>
      <div className={css.name}>
        {object && <ObjectIcon of={object} tile={26} />}
        <div>
          <strong dir="auto">{name}</strong>
          <small>{words}</small>
          {note && <small>{note}</small>}
        </div>
      </div>
      {onChange ? (
        <Select
          className={css.level}
          aria-label={onRemove ? `Access to ${name}` : name}
          data={levels}
          value={level}
          onChange={(next) => next && choose(next as Level)}
          renderOption={({ option }) => (
            <span className={css.option}>
              {option.label}
              <small>{levels.find(({ value }) => value === option.value)!.about}</small>
            </span>
          )}
          comboboxProps={{ width: 320, position: 'bottom-end' }}
        />
      ) : (
        <span className={css.word}>{levels.find(({ value }) => value === level)!.label}</span>
      )}
      {onRemove && (
        <IconButton
          icon={X}
          label={`Remove the exception for ${name}`}
          size={34}
          className={css.remove}
          onClick={onRemove}
        />
      )}
      {onChange && level === 'custom' && (
        <div className={css.rights}>
          {columns.map(({ right, label }) => (
            <div key={right}>
              <span aria-hidden="true">{label}</span>
              <RightChoice
                label={`${label}: ${name}`}
                value={rights[right]}
                onChange={(value) => {
                  setCustom(true)
                  onChange(withRight(rights, right, value))
                }}
              />
            </div>
          ))}
        </div>
      )}
    </div>
  )
}

const columns: { right: Right; label: string }[] = [
  { right: 'read', label: 'Read' },
  { right: 'create', label: 'Create' },
  { right: 'edit', label: 'Edit' },
  { right: 'delete', label: 'Delete' },
]

/** Begins with the default, so that adding one changes nothing yet. */
function AddException({ objects, onAdd }: { objects: ObjectShape[]; onAdd: (key: string) => void }) {
  if (!objects.length) return null
  return (
    <div className={css.add}>
      <Select
        aria-label="Add exception"
        placeholder="Add exception"
        searchable
        value={null}
        data={objects.map(({ key, label_plural }) => ({ value: key, label: label_plural }))}
        nothingFoundMessage="No match"
        onChange={(key) => key && onAdd(key)}
      />
    </div>
  )
}

const without = (records: RecordRights, object: string) =>
  Object.fromEntries(Object.entries(records).filter(([key]) => key !== object))
