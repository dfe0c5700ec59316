import type { contract } from '../../../../contract/index.ts'
import type { Output } from '../../../../contract/operation.ts'
import { api } from '../../../client/api.ts'
import { Confirm } from '../../../ui/dialog.tsx'
import { say } from '../../../ui/notices.tsx'
import { type Field, type RecordObject, useSchemaChanged } from './whole-schema.ts'

export type Dependents = Output<typeof contract.listFieldDependents>

const mostNamed = 10

type Props = { object: RecordObject; field: Field; dependents: Dependents; onClose: () => void }

/** Asks before a field is archived that views use. */
export function ArchiveField({
  object,
  field,
  dependents: { views, private_views, notification_rules },
  onClose,
}: Props) {
  const changed = useSchemaChanged()
  const hidden = views.length - mostNamed + private_views
  const others = views.length > mostNamed ? `${hidden} more` : `${private_views} private`
  return (
    <Confirm
      title={`Archive ${field.label}?`}
      action="Archive field"
      act={() => api.updateField({ object: object.key, field: field.key, is_archived: true })}
      onDone={async () => {
        await changed()
        say(`${field.label} archived. Its values are kept.`)
      }}
      onClose={onClose}
    >
      {views.length + private_views > 0 && <p>These views use this field and may stop working until you restore it:</p>}
      <ul>
        {views.slice(0, mostNamed).map(({ id, name }) => (
          <li key={id}>
            <bdi>{name}</bdi>
          </li>
        ))}
        {(private_views > 0 || views.length > mostNamed) && (
          <li>
            {others} {views.length > mostNamed || private_views > 1 ? 'views' : 'view'}
            {views.length > mostNamed ? '' : ' of other users'}
          </li>
        )}
      </ul>
      {notification_rules > 0 && (
        <p>
          {notification_rules === 1 ? 'A notification rule uses it' : `${notification_rules} notification rules use it`}{' '}
          and will stop working too.
        </p>
      )}
      <p>The values of the field are kept.</p>
    </Confirm>
  )
}
