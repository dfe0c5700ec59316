import { Button, VisuallyHidden } from '@mantine/core'
import { fieldKinds } from '../../../records/field-kinds.ts'
import { RowOf, Rows } from '../../../ui/rows.tsx'
import css from './field-list.module.css'
import { useArchive } from './field-list.tsx'
import type { RecordObject } from './whole-schema.ts'

export function ArchivedFields({ object }: { object: RecordObject }) {
  const bringBack = useArchive(object, false)
  const archived = object.fields.filter((field) => field.is_archived)
  if (!archived.length) return null
  return (
    <section className={css.archived} aria-labelledby="archived-fields">
      <h2 id="archived-fields">Archived fields</h2>
      <p>Nobody sees them. Their values are kept, and come back with them.</p>
      <Rows label="Archived fields">
        {archived.map((field) => (
          <RowOf
            key={field.key}
            icon={fieldKinds[field.type].icon}
            title={<bdi>{field.label}</bdi>}
            note={<code>{field.key}</code>}
          >
            <Button variant="default" size="compact-sm" onClick={() => bringBack(field)}>
              Bring back <VisuallyHidden component="span">{field.label}</VisuallyHidden>
            </Button>
          </RowOf>
        ))}
      </Rows>
    </section>
  )
}
