import { Button, Checkbox, TextInput } from '@mantine/core'
import { infiniteQueryOptions, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ArchiveRestore, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { mostRecords } from '../../../contract/records.ts'
import { pages } from '../../../contract/shared/pages.ts'
import { api } from '../../client/api.ts'
import { jobStarted } from '../../client/jobs.ts'
import { useSignedIn } from '../../client/session.ts'
import { recordsChanged } from '../../records/data/record-cache.ts'
import { type ObjectShape, useSchema } from '../../records/data/schema.ts'
import { saidAndUndoable } from '../../records/data/undo.ts'
import { counted } from '../../records/data/value-text.ts'
import { useIsAdmin } from '../../roles/roles.ts'
import { Filters } from '../../ui/basics/layout.tsx'
import { itemsOf, LoadedList } from '../../ui/basics/loaded.tsx'
import { complain, say } from '../../ui/basics/notices.tsx'
import { Page } from '../../ui/basics/page.tsx'
import { Message, Missing } from '../../ui/basics/states.tsx'
import { Confirm } from '../../ui/form/dialog.tsx'
import { FilterSelect } from '../../ui/form/filter-select.tsx'
import { useAddressText } from '../../ui/form/use-address-text.ts'
import { SelectionBar } from '../../ui/page/selection-bar.tsx'
import { DataTable } from '../../ui/page/table.tsx'
import { asNumber } from '../../ui/text/numbers.ts'
import { UserSelect } from '../../users/user-select.tsx'
import { readTrashSearch, type TrashSearch } from './search.ts'
import css from './trash.module.css'
import { type Trashed, trashColumns } from './trash-columns.tsx'

/** The trash of all objects, or of the one in the address. */
export function Trash() {
  const { object: key } = useParams({ strict: false })
  const objects = useSchema().filter(({ rights }) => rights.read !== 'none')
  const object = objects.find((one) => one.key === key)
  if (key !== undefined && !object) return <Missing what="trash" back={pages.records} />
  return <TrashPage object={object} objects={objects} />
}

function TrashPage({ object, objects }: { object: ObjectShape | undefined; objects: ObjectShape[] }) {
  const { company } = useSignedIn()
  const navigate = useNavigate()
  const { q, by } = readTrashSearch(useSearch({ strict: false }))
  const go = (key: string | null | undefined, search: TrashSearch, replace = false) =>
    key
      ? navigate({ to: '/trash/$object', params: { object: key }, search, replace })
      : navigate({ to: pages.trash, search, replace })
  const change = (next: Partial<Record<keyof TrashSearch, string | null>>) =>
    void go(object?.key, readTrashSearch({ q, by, ...next }), true)
  const { text, type } = useAddressText(q ?? '', (q) => change({ q }))
  const show = (key: string | null) => void go(key, readTrashSearch({ q: text.trim(), by }))
  const asked = { ...(q && { q }), ...(by && { deleted_by: by }), ...(object && { object: object.key }) }
  return (
    <Page
      title="Trash"
      lead={`Deleted records can be restored for ${company.trash_days === 1 ? '1 day' : `${company.trash_days} days`}. After that, they are permanently deleted.`}
      wide
    >
      <Filters>
        <TextInput
          label="Search"
          type="search"
          placeholder="Name, email, …"
          maxLength={200}
          value={text}
          onChange={(event) => type(event.currentTarget.value)}
        />
        <FilterSelect
          label="Object"
          placeholder="All objects"
          data={objects.map(({ key, label_plural }) => ({ value: key, label: label_plural }))}
          searchable
          value={object?.key}
          onChange={show}
        />
        <UserSelect
          label="Deleted by"
          placeholder="Anyone"
          clearLabel="Anyone"
          state="all"
          value={by ?? null}
          onChange={(by) => change({ by })}
        />
      </Filters>
      <TrashList key={JSON.stringify(asked)} asked={asked} objects={objects} />
    </Page>
  )
}

type Asked = { q?: string; deleted_by?: string; object?: string }
const trashQuery = (asked: Asked) =>
  infiniteQueryOptions({
    queryKey: ['records', asked.object ?? '*', 'trash', asked] as const,
    queryFn: ({ pageParam, signal }) => api.listTrash({ ...asked, limit: mostRecords, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  })

/** The selected records, by object: each object is restored and emptied by itself. */
type Some = { object: ObjectShape; ids: string[] }[]

function TrashList({ asked, objects }: { asked: Asked; objects: ObjectShape[] }) {
  const query = useInfiniteQuery({ ...trashQuery(asked), notifyOnChangeProps: 'all' })
  const [picked, pick] = useState<string[]>([])
  const [purging, purge] = useState<Some>()
  const { company } = useSignedIn()
  const isAdmin = useIsAdmin()
  const changed = useTrashChanged()
  const objectOf = (key: string) => objects.find((one) => one.key === key)
  const grouped = (items: Trashed[]): Some =>
    [...Map.groupBy(items, ({ object }) => object)].flatMap(([key, some]) => {
      const object = objectOf(key)
      return object ? [{ object, ids: some.map(({ id }) => id) }] : []
    })
  const restore = useMutation({
    mutationFn: async (some: Some) => {
      const sets: (string | null)[] = []
      for (const { object, ids } of some) {
        const { change_set_id } = await api.restoreRecords({ object: object.key, ids })
        sets.push(change_set_id)
      }
      return sets.filter((id) => id !== null)
    },
    onSuccess: (sets, some) => {
      pick([])
      saidAndUndoable(
        `${countedIn(some)} restored`,
        sets,
        some.flatMap(({ ids }) => ids),
      )
    },
    onError: (error) => complain('Not everything was restored', error),
    onSettled: (_sets, _error, some) => changed(some),
  })
  const isFiltered = Boolean(asked.q || asked.deleted_by || asked.object)
  const none = (
    <Message icon={Trash2} title={isFiltered ? 'No matching records in the trash' : 'The trash is empty'}>
      Records that you or an agent delete are kept here and can be restored.
    </Message>
  )
  const selected = itemsOf(query)
    .filter(({ id }) => picked.includes(id))
    .slice(0, mostRecords)
  const mayRestore = ({ object }: Trashed) => objectOf(object)?.rights.delete !== 'none'
  return (
    <>
      <LoadedList query={query} what="the trash" empty={none}>
        {(items) => (
          <DataTable
            label="Deleted records"
            className={css.table}
            columns={[
              {
                key: 'pick',
                label: 'Select',
                head: (
                  <Checkbox
                    aria-label="Select all"
                    checked={selected.length === items.length}
                    indeterminate={selected.length > 0 && selected.length < items.length}
                    onChange={(event) => pick(event.currentTarget.checked ? items.map(({ id }) => id) : [])}
                  />
                ),
                bare: true,
                cell: ({ id, title }) => (
                  <Checkbox
                    aria-label={`Select ${title}`}
                    checked={picked.includes(id)}
                    onChange={(event) =>
                      pick(event.currentTarget.checked ? [...picked, id] : picked.filter((one) => one !== id))
                    }
                  />
                ),
              },
              ...trashColumns(objects, company.trash_days),
              {
                key: 'act',
                label: 'Actions',
                isQuiet: true,
                cell: (record) =>
                  mayRestore(record) && (
                    <Button
                      variant="default"
                      size="compact-sm"
                      loading={restore.isPending && restore.variables.some(({ ids }) => ids.includes(record.id))}
                      aria-label={`Restore ${record.title}`}
                      onClick={() => restore.mutate(grouped([record]))}
                    >
                      Restore
                    </Button>
                  ),
              },
            ]}
            items={items}
            row={({ id }) => ({ 'data-picked': picked.includes(id) || undefined })}
          />
        )}
      </LoadedList>
      {selected.length > 0 && (
        <SelectionBar
          said={
            picked.length > mostRecords
              ? `${picked.length} selected, at most the first ${mostRecords} at a time`
              : `${selected.length} selected`
          }
        >
          <Button variant="subtle" color="gray" onClick={() => pick([])}>
            Clear
          </Button>
          {isAdmin && (
            <Button variant="subtle" color="red" onClick={() => purge(grouped(selected))}>
              Delete permanently
            </Button>
          )}
          {selected.every(mayRestore) && (
            <Button
              leftSection={<ArchiveRestore size={15} />}
              loading={restore.isPending}
              onClick={() => restore.mutate(grouped(selected))}
            >
              Restore
            </Button>
          )}
        </SelectionBar>
      )}
      {purging && <Purge some={purging} onDone={() => pick([])} onClose={() => purge(undefined)} />}
    </>
  )
}

const countIn = (some: Some) => some.reduce((sum, { ids }) => sum + ids.length, 0)

/** "1 person", or "3 records" of several objects. */
const countedIn = (some: Some) => {
  const [only, ...others] = some
  return only && !others.length ? counted(only.ids.length, only.object) : `${asNumber(countIn(some))} records`
}

/** Lists, pages and the trash itself. */
function useTrashChanged() {
  const client = useQueryClient()
  return async (some: Some) => {
    for (const { object } of some) await recordsChanged(client, object.key)
    await client.invalidateQueries({ queryKey: ['records', '*', 'trash'] })
  }
}

type Props = { some: Some; onDone: () => void; onClose: () => void }

function Purge({ some, onDone, onClose }: Props) {
  const changed = useTrashChanged()
  return (
    <Confirm
      title={`Delete ${countedIn(some)} permanently?`}
      action="Delete permanently"
      act={async () => {
        let isLater = false
        for (const { object, ids } of some) {
          const { job_id } = await api.purgeRecords({ object: object.key, ids })
          if (job_id) jobStarted(job_id)
          isLater ||= job_id !== null
        }
        if (!isLater) say(`${countedIn(some)} deleted permanently`)
      }}
      onDone={async () => {
        onDone()
        await changed(some)
      }}
      onClose={onClose}
    >
      <p>This can’t be undone. Links to {countIn(some) === 1 ? 'it' : 'them'} are removed too.</p>
    </Confirm>
  )
}
