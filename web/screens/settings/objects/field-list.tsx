import { Button, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Archive, PenLine } from 'lucide-react'
import { useState } from 'react'
import { inSentence } from '../../../../contract/shared/in-sentence.ts'
import { api } from '../../../client/api.ts'
import { fieldKinds } from '../../../records/fields/field-kinds.ts'
import { Badge } from '../../../ui/basics/avatar.tsx'
import { Part } from '../../../ui/basics/layout.tsx'
import { complain, say } from '../../../ui/basics/notices.tsx'
import { moved, Sortable } from '../../../ui/form/reorder.tsx'
import { RowMenu, RowOf, Rows } from '../../../ui/page/rows.tsx'
import shared from '../entries.module.css'
import { type Field, type RecordObject, useSchemaChanged, useSchemaOrder, wholeSchemaQuery } from '../whole-schema.ts'
import { ArchiveField, type Dependents, isUsed } from './archive-field.tsx'
import css from './field-list.module.css'

type Props = { object: RecordObject; onEdit: (field: string) => void }

export function FieldList({ object, onEdit }: Props) {
  const fields = object.fields.filter((field) => !field.is_archived)
  const order = useSchemaOrder()
  const archiveNow = useArchive(object, true)
  const [asked, ask] = useState<{ field: Field; dependents: Dependents }>()
  const archive = async (field: Field) => {
    try {
      const dependents = await api.getFieldDependents({ object: object.key, field: field.key })
      if (isUsed(dependents)) ask({ field, dependents })
      else archiveNow(field)
    } catch (error) {
      complain(`${field.label} was not archived`, error)
    }
  }
  const move = (from: number, position: number) =>
    order({
      apply: (objects) => objects.map((one) => (one.key === object.key ? withMoved(one, from, position) : one)),
      send: () => api.updateField({ object: object.key, field: fields[from]!.key, position }),
    })
  return (
    <>
      <Sortable
        label="Fields"
        className={shared.panel}
        items={fields}
        keyOf={({ key }) => key}
        nameOf={({ label }) => label}
        onMove={move}
      >
        {(field, _, moves) => (
          <>
            <FieldButton of={field} onClick={() => onEdit(field.key)} />
            <RowMenu
              of={field.label}
              actions={[
                { label: 'Edit', icon: PenLine, open: () => onEdit(field.key) },
                ...moves,
                { label: 'Archive', icon: Archive, open: () => void archive(field) },
              ]}
            />
          </>
        )}
      </Sortable>
      {asked && <ArchiveField object={object} {...asked} onClose={() => ask(undefined)} />}
    </>
  )
}

/** Those that are archived stand after the others. */
const withMoved = (object: RecordObject, from: number, to: number) => ({
  ...object,
  fields: moved(object.fields, from, to),
})

function useArchive(object: RecordObject, is_archived: boolean) {
  const changed = useSchemaChanged()
  const { mutate } = useMutation({
    mutationFn: (field: Field) => api.updateField({ object: object.key, field: field.key, is_archived }),
    onSuccess: async ({ label }) => {
      await changed()
      say(is_archived ? `${label} archived. Its values are kept.` : `${label} restored`)
    },
    onError: (error, { label }) => complain(`${label} was not ${is_archived ? 'archived' : 'restored'}`, error),
  })
  return (field: Field) => mutate(field)
}

function FieldButton({ of: field, onClick }: { of: Field; onClick: () => void }) {
  const { data: objects = [] } = useQuery(wholeSchemaQuery)
  const Icon = fieldKinds[field.type].icon
  return (
    <UnstyledButton className={`${shared.entry} ${css.field}`} onClick={onClick} aria-label={`Edit ${field.label}`}>
      <Icon size={16} strokeWidth={1.75} className={shared.icon} />
      <span className={shared.name}>
        <bdi>{field.label}</bdi>
        {field.is_required && <Badge>Required</Badge>}
        {field.is_unique && <Badge>Unique</Badge>}
        {field.is_read_only && <Badge>Computed</Badge>}
      </span>
      <code className={shared.key}>{field.key}</code>
      <span className={css.kind}>{kindOf(field, objects)}</span>
    </UnstyledButton>
  )
}

/** "4 options", "Relation to organizations": the type with what matters most of it. */
function kindOf({ type, is_multi, options, to_objects }: Field, objects: RecordObject[]) {
  const { label } = fieldKinds[type]
  if (options?.length) {
    const count = options.length === 1 ? '1 option' : `${options.length} options`
    return type === 'select' ? count : `${label}, ${count}`
  }
  const named = (to_objects ?? []).map((to) => inSentence(objects.find(({ key }) => key === to)?.label_plural ?? to))
  if (named.length) return `${label} to ${named.join(', ')}`
  return is_multi ? `${label}, several` : label
}

export function ArchivedFields({ object }: { object: RecordObject }) {
  const bringBack = useArchive(object, false)
  const archived = object.fields.filter((field) => field.is_archived)
  if (!archived.length) return null
  return (
    <Part
      title="Archived fields"
      about="Archived fields are hidden. Their values are kept and return when you restore them."
      className={css.archived}
    >
      <Rows label="Archived fields">
        {archived.map((field) => (
          <RowOf
            key={field.key}
            icon={fieldKinds[field.type].icon}
            title={<bdi>{field.label}</bdi>}
            note={<code>{field.key}</code>}
          >
            <Button variant="default" size="compact-sm" onClick={() => bringBack(field)}>
              Restore <VisuallyHidden component="span">{field.label}</VisuallyHidden>
            </Button>
          </RowOf>
        ))}
      </Rows>
    </Part>
  )
}
