import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { Archive, ArchiveRestore, PenLine, Plus } from 'lucide-react'
import { useState } from 'react'
import { inSentence } from '../../../../contract/shared/in-sentence.ts'
import { pages } from '../../../../contract/shared/pages.ts'
import { api } from '../../../client/api.ts'
import { Loaded } from '../../../ui/basics/loaded.tsx'
import { complain, say } from '../../../ui/basics/notices.tsx'
import { Missing, PageSkeleton } from '../../../ui/basics/states.tsx'
import { Confirm, Dialog } from '../../../ui/form/dialog.tsx'
import { DialogForm } from '../../../ui/form/form.tsx'
import { rulesOf } from '../../../ui/form/rules-of.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import { RowMenu } from '../../../ui/page/rows.tsx'
import { CompanyPage } from '../company-area.tsx'
import { LookField } from '../look-field.tsx'
import { type RecordObject, useSchemaChanged, wholeSchemaQuery } from '../whole-schema.ts'
import { FieldDialog } from './edit-field.tsx'
import { ArchivedFields, FieldList } from './field-list.tsx'

const route = getRouteApi('/frame/company-area/company/objects/$object')

export function ObjectPage() {
  const { object: key } = route.useParams()
  const objects = useQuery(wholeSchemaQuery)
  const shown = (objects: RecordObject[]) => {
    const object = objects.find((one) => one.key === key)
    return object ? <OneObject key={key} object={object} /> : <Missing what="object" back={pages.company} />
  }
  return (
    <Loaded
      query={objects}
      waiting={<PageSkeleton />}
      failed={(failure) => (
        <CompanyPage title="Object" needs="objects.manage">
          {failure}
        </CompanyPage>
      )}
    >
      {shown}
    </Loaded>
  )
}

type Asked = { kind: 'add' } | { kind: 'edit'; field: string } | { kind: 'edit_object' } | { kind: 'archive' }

function OneObject({ object }: { object: RecordObject }) {
  // From a list, for one field: then back to it.
  const { add: isAsked } = route.useSearch()
  const { history } = useRouter()
  const [asked, ask] = useState<Asked | undefined>(isAsked ? { kind: 'add' } : undefined)
  const close = () => {
    ask(undefined)
    if (isAsked && asked?.kind === 'add') history.back()
  }
  const changed = useSchemaChanged()
  const setArchived = async (is_archived: boolean) => {
    await api.updateObject({ object: object.key, is_archived })
    await changed()
  }
  const bringBack = () =>
    setArchived(false).then(
      () => say(`${object.label_plural} restored`),
      (error) => complain(`${object.label_plural} could not be restored`, error),
    )
  const edited = asked?.kind === 'edit' ? object.fields.find((field) => field.key === asked.field) : undefined
  return (
    <CompanyPage
      title={object.label_plural}
      lead={
        object.is_archived ? (
          'Archived. These records are hidden, not deleted, and return when you restore the object.'
        ) : (
          <>
            The fields of each <bdi>{inSentence(object.label)}</bdi>, in the order in which forms show them. In filters
            and the API, it is called <code>{object.key}</code>. The type of a field cannot be changed later.
          </>
        )
      }
      needs="objects.manage"
      actions={
        <>
          <RowMenu
            of={object.label_plural}
            actions={[
              { label: 'Edit name and icon', icon: PenLine, open: () => ask({ kind: 'edit_object' }) },
              object.is_archived
                ? { label: 'Restore', icon: ArchiveRestore, open: bringBack }
                : { label: 'Archive', icon: Archive, open: () => ask({ kind: 'archive' }) },
            ]}
          />
          {object.is_archived ? (
            <Button leftSection={<ArchiveRestore size={15} />} onClick={bringBack}>
              Restore
            </Button>
          ) : (
            <Button leftSection={<Plus size={15} />} onClick={() => ask({ kind: 'add' })}>
              Add field
            </Button>
          )}
        </>
      }
    >
      <FieldList object={object} onEdit={(field) => ask({ kind: 'edit', field })} />
      <ArchivedFields object={object} />
      {asked?.kind === 'add' && <FieldDialog object={object} onClose={close} />}
      {edited && <FieldDialog key={edited.key} object={object} field={edited} onClose={close} />}
      {asked?.kind === 'edit_object' && <EditObject object={object} onClose={close} />}
      {asked?.kind === 'archive' && (
        <Confirm
          title={`Archive ${object.label_plural}?`}
          action="Archive"
          act={() => setArchived(true)}
          onDone={() => say(`${object.label_plural} archived`)}
          onClose={close}
        >
          <p>These records are hidden from lists, relations, searches and the API. Nothing is deleted.</p>
          <p>You can restore the object on this page at any time.</p>
        </Confirm>
      )}
    </CompanyPage>
  )
}

type Props = { object: RecordObject; onClose: () => void }

function EditObject({ object: { key, label, label_plural, icon, color }, onClose }: Props) {
  const changed = useSchemaChanged()
  const { form, text, values, change } = useForm({
    input: rulesOf(
      () => import('../../../../contract/objects.ts'),
      ({ objects }) => objects.updateObject.input.pick({ label: true, label_plural: true, icon: true, color: true }),
    ),
    isGuarded: false,
    initial: { label, label_plural, icon, color },
    send: (values) => api.updateObject({ object: key, ...values }),
    onDone: async () => {
      await changed()
      onClose()
      say('Object saved')
    },
    focusOnRefusal: 'label',
  })
  return (
    <Dialog title={`Edit ${label_plural}`} onClose={onClose}>
      <DialogForm of={form} action="Save object" onCancel={onClose}>
        <TextInput label="Singular name" autoComplete="off" data-autofocus {...text('label')} />
        <TextInput label="Plural name" autoComplete="off" {...text('label_plural')} />
        <LookField value={values} onChange={change} />
      </DialogForm>
    </Dialog>
  )
}
