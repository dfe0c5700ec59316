import { Button, Checkbox, Select, VisuallyHidden } from '@mantine/core'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { ArchiveRestore, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { inSentence } from '../../../../contract/in-sentence.ts'
import { pages } from '../../../../contract/pages.ts'
import { mostRecords } from '../../../../contract/records.ts'
import { api } from '../../../client/api.ts'
import { jobStarted } from '../../../client/jobs.ts'
import { useSignedIn } from '../../../client/session.ts'
import { recordsChanged } from '../../../records/record-cache.ts'
import { recordPagesQuery, useRestoreRecords } from '../../../records/records-api.ts'
import { type ObjectShape, useSchema } from '../../../records/schema.ts'
import { counted } from '../../../records/value-text.ts'
import { useIsAdmin } from '../../../roles/roles.ts'
import { Confirm } from '../../../ui/dialog.tsx'
import { itemsOf, LoadedList } from '../../../ui/loaded.tsx'
import { say } from '../../../ui/notices.tsx'
import { Page } from '../../../ui/page.tsx'
import { SelectionBar } from '../../../ui/selection-bar.tsx'
import { Message, Missing } from '../../../ui/states.tsx'
import { Head, Table } from '../../../ui/table.tsx'
import css from './trash.module.css'
import { type Trashed, TrashRow } from './trash-row.tsx'

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
      lead={`Deleted records can be restored for ${company.trash_days === 1 ? '1 day' : `${company.trash_days} days`}. After that they are deleted permanently.`}
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

function TrashList({ object }: { object: ObjectShape }) {
  const pages = useInfiniteQuery({
    ...recordPagesQuery({ object: object.key, deleted: true }),
    notifyOnChangeProps: 'all',
  })
  const [picked, pick] = useState<string[]>([])
  const [asked, ask] = useState<string[]>()
  const isAdmin = useIsAdmin()
  const restore = useRestoreRecords(object.key, (count) => `${counted(count, object)} restored`)
  const none = (
    <Message icon={Trash2} title={`No ${inSentence(object.label_plural)} in the trash`}>
      Records that you or an agent delete stay here for a while and can be restored.
    </Message>
  )
  const selected = itemsOf(pages)
    .filter(({ id }) => picked.includes(id))
    .map(({ id }) => id)
  const bringBack = (ids: string[]) => restore.mutate(ids.slice(0, mostRecords), { onSuccess: () => pick([]) })
  const mayRestore = object.rights.delete !== 'none'
  return (
    <>
      <LoadedList query={pages} what="the trash" empty={none}>
        {(items) => (
          <Table
            label={`${object.label_plural} in the trash`}
            className={css.table}
            head={
              <>
                <Head>
                  <Checkbox
                    aria-label="Select all"
                    checked={selected.length === items.length}
                    indeterminate={selected.length > 0 && selected.length < items.length}
                    onChange={(event) => pick(event.currentTarget.checked ? items.map(({ id }) => id) : [])}
                  />
                </Head>
                <Head>{object.label}</Head>
                <Head>Deleted by</Head>
                <Head>Deleted</Head>
                <Head>Deleted permanently</Head>
                <Head>
                  <VisuallyHidden>Actions</VisuallyHidden>
                </Head>
              </>
            }
          >
            {items.map((record) => (
              <TrashRow
                key={record.id}
                of={record as Trashed}
                isPicked={picked.includes(record.id)}
                onPick={(on) => pick(on ? [...picked, record.id] : picked.filter((id) => id !== record.id))}
                onRestore={mayRestore ? () => bringBack([record.id]) : undefined}
                isPending={restore.isPending && restore.variables.includes(record.id)}
              />
            ))}
          </Table>
        )}
      </LoadedList>
      {selected.length > 0 && (
        <SelectionBar
          said={
            selected.length > mostRecords
              ? `${selected.length} selected, the first ${mostRecords} at once`
              : `${selected.length} selected`
          }
        >
          <Button variant="subtle" color="gray" onClick={() => pick([])}>
            Clear
          </Button>
          {isAdmin && (
            <Button variant="subtle" color="red" onClick={() => ask(selected.slice(0, mostRecords))}>
              Delete permanently
            </Button>
          )}
          {mayRestore && (
            <Button
              leftSection={<ArchiveRestore size={15} aria-hidden="true" />}
              loading={restore.isPending}
              onClick={() => bringBack(selected)}
            >
              Restore
            </Button>
          )}
        </SelectionBar>
      )}
      {asked && <Purge object={object} ids={asked} onDone={() => pick([])} onClose={() => ask(undefined)} />}
    </>
  )
}

type Props = { object: ObjectShape; ids: string[]; onDone: () => void; onClose: () => void }

function Purge({ object, ids, onDone, onClose }: Props) {
  const client = useQueryClient()
  return (
    <Confirm
      title={`Delete ${counted(ids.length, object)} permanently?`}
      action="Delete permanently"
      act={async () => {
        const { purged, job_id } = await api.purgeRecords({ object: object.key, ids })
        if (job_id) jobStarted(job_id)
        else say(`${counted(purged, object)} deleted permanently`)
      }}
      onDone={async () => {
        onDone()
        await recordsChanged(client, object.key)
      }}
      onClose={onClose}
    >
      <p>This can’t be undone. Links to {ids.length === 1 ? 'it' : 'them'} are removed too.</p>
    </Confirm>
  )
}
