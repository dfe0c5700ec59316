import type { contract } from '../../../../contract/index.ts'
import type { Output } from '../../../../contract/operation.ts'
import { api } from '../../../client/api.ts'
import { say } from '../../../ui/basics/notices.tsx'
import { Confirm } from '../../../ui/form/dialog.tsx'
import { type Field, type RecordObject, useSchemaChanged } from '../whole-schema.ts'

export type Dependents = Output<typeof contract.getFieldDependents>

export const isUsed = ({ views, private_views, notification_rules, dashboards, private_dashboards }: Dependents) =>
  views.length + private_views + notification_rules + dashboards.length + private_dashboards > 0

const mostNamed = 10

type Props = { object: RecordObject; field: Field; dependents: Dependents; onClose: () => void }

/** Asks before a field is archived that something uses. */
export function ArchiveField({ object, field, dependents, onClose }: Props) {
  const changed = useSchemaChanged()
  const { views, private_views, notification_rules, dashboards, private_dashboards } = dependents
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
      <Named what="view" list={views} hidden={private_views} />
      <Named what="dashboard" list={dashboards} hidden={private_dashboards} />
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

type NamedProps = { what: 'view' | 'dashboard'; list: { id: string; name: string }[]; hidden: number }

/** Those that the user may see by name, the others as a number. */
function Named({ what, list, hidden }: NamedProps) {
  if (!list.length && !hidden) return null
  const isLong = list.length > mostNamed
  const rest = isLong ? list.length - mostNamed + hidden : hidden
  return (
    <>
      <p>These {what}s use this field and may stop working until you restore it:</p>
      <ul>
        {list.slice(0, mostNamed).map(({ id, name }) => (
          <li key={id}>
            <bdi>{name}</bdi>
          </li>
        ))}
        {rest > 0 && (
          <li>
            {rest} {isLong ? 'more' : 'private'} {isLong || rest > 1 ? `${what}s` : what}
            {isLong ? '' : ' of other users'}
          </li>
        )}
      </ul>
    </>
  )
}
