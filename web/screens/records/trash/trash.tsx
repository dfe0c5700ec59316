import { Select } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { pages } from '../../../../contract/pages.ts'
import { useSignedIn } from '../../../client/session.ts'
import { type ObjectShape, useSchema } from '../../../records/schema.ts'
import { Missing } from '../../../ui/missing.tsx'
import { Page } from '../../../ui/page.tsx'
import { TrashList } from './trash-list.tsx'

/** The contract's `/trash/:object`, as the router writes it. */
export const trashPage = '/trash/$object'

export function Trash() {
  const { object: key } = useParams({ strict: false })
  const objects = useSchema().filter(({ rights }) => rights.read !== 'none')
  const object = objects.find((one) => one.key === key)
  return object ? <OneTrash object={object} objects={objects} /> : <Missing what="trash" back={pages.records} />
}

function OneTrash({ object, objects }: { object: ObjectShape; objects: ObjectShape[] }) {
  const { company } = useSignedIn()
  const navigate = useNavigate()
  return (
    <Page
      title="Trash"
      lead={`Deleted records can be restored for ${company.trash_days === 1 ? '1 day' : `${company.trash_days} days`}. After that they are gone for good.`}
      wide
      actions={
        <Select
          aria-label="Records of"
          data={objects.map(({ key, label_plural }) => ({ value: key, label: label_plural }))}
          allowDeselect={false}
          searchable
          value={object.key}
          onChange={(key) => key && void navigate({ to: trashPage, params: { object: key } })}
        />
      }
    >
      <TrashList key={object.key} object={object} />
    </Page>
  )
}
