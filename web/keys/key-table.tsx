import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { mostKeys } from '../../contract/api-keys.ts'
import type { contract } from '../../contract/index.ts'
import type { Output } from '../../contract/operation.ts'
import { api } from '../client/api.ts'
import { memberPage } from '../client/areas.ts'
import { pagesOf } from '../client/pages.ts'
import { itemsOf, LoadedList } from '../ui/basics/loaded.tsx'
import { DataTable } from '../ui/page/table.tsx'
import { dateColumns, keyTable, nameColumns } from './key-cells.tsx'
import { DeleteKeys } from './key-dialogs.tsx'
import { KeyToolbar } from './key-list.tsx'
import css from './key-table.module.css'
import { withoutOurTest } from './keys.ts'

type Props = { userId?: string; label: string; empty: ReactNode; onAdd?: () => void }

/** The keys of one user, or of everybody, to look at and to delete. */
export function KeyTable({ userId, label, empty, onAdd }: Props) {
  const [picked, pick] = useState<string[]>([])
  const [asked, ask] = useState(false)
  const changed = useCompanyKeysChanged()
  // Every response renders the list again, including the relative times.
  const keys = useInfiniteQuery({ ...companyKeysQuery(userId), notifyOnChangeProps: 'all' })
  const selected = itemsOf(keys)
    .filter(({ id }) => picked.includes(id))
    .slice(0, mostKeys)
  const remove = async (ids: string[]) => {
    await api.deleteCompanyApiKeys({ ids })
    await changed()
  }
  return (
    <>
      <LoadedList query={keys} what="keys" height={220} empty={empty}>
        {(items) => (
          <>
            <KeyToolbar count={items.length} selected={selected.length} onAdd={onAdd} onDelete={() => ask(true)} />
            <DataTable
              label={label}
              className={`${keyTable} ${css.table}`}
              columns={[
                ...nameColumns<CompanyKey>({ picked, pick }),
                ...(userId ? [] : [{ key: 'owner', label: 'Owner', cell: ownerOf }]),
                ...dateColumns,
              ]}
              items={items}
              row={({ id }) => ({ 'data-picked': picked.includes(id) || undefined })}
            />
          </>
        )}
      </LoadedList>
      {asked && <DeleteKeys keys={selected} remove={remove} onDone={() => pick([])} onClose={() => ask(false)} />}
    </>
  )
}

const ownerOf = ({ user_id, user_name }: CompanyKey) => (
  <Link to={memberPage} params={{ id: user_id }} className={css.owner}>
    <bdi>{user_name}</bdi>
  </Link>
)

type CompanyKey = Output<typeof contract.listCompanyApiKeys>['items'][number]

const companyKeysQuery = (user_id: string | undefined) => ({
  ...pagesOf(['company-keys', user_id ?? 'all'], async (cursor) => {
    const page = await api.listCompanyApiKeys({ user_id, limit: 50, cursor })
    return { ...page, items: page.items.map(withoutOurTest) }
  }),
  refetchInterval: 30_000,
})

export function useCompanyKeysChanged() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: ['company-keys'] })
}
