import { Skeleton, VisuallyHidden } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { mostKeys } from '../../../../contract/api-keys.ts'
import { api } from '../../../client/api.ts'
import { DeleteKeys } from '../../../keys/delete-keys.tsx'
import { keyTable } from '../../../keys/key-cells.tsx'
import { KeyToolbar } from '../../../keys/key-toolbar.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Results } from '../../../ui/results.tsx'
import { Head, Table } from '../../../ui/table.tsx'
import { companyKeysQuery, useCompanyKeysChanged } from './company-keys.ts'
import { KeyRow } from './key-row.tsx'
import css from './keys.module.css'

type Props = { userId?: string; label: string; empty: ReactNode; onAdd?: () => void }

/** The keys of one user, or of everybody, to look at and to delete. */
export function KeyTable({ userId, label, empty, onAdd }: Props) {
  const [picked, pick] = useState<string[]>([])
  const [asked, ask] = useState(false)
  const changed = useCompanyKeysChanged()
  // Every answer draws the list anew, and with it how long ago things were.
  const keys = useInfiniteQuery({ ...companyKeysQuery(userId), notifyOnChangeProps: 'all' })
  if (keys.isPending) return <Skeleton height={220} radius="lg" role="status" aria-label="Loading keys" />
  if (keys.isError && !keys.data) return <Failure error={keys.error} onRetry={keys.refetch} busy={keys.isFetching} />
  const items = keys.data.pages.flatMap((page) => page.items)
  if (!items.length) return empty
  const selected = items.filter(({ id }) => picked.includes(id)).slice(0, mostKeys)
  const remove = async (ids: string[]) => {
    await api.deleteCompanyApiKeys({ ids })
    await changed()
  }
  return (
    <>
      <KeyToolbar count={items.length} selected={selected.length} onAdd={onAdd} onDelete={() => ask(true)} />
      <Results of={keys}>
        <Table
          label={label}
          className={`${keyTable} ${css.table}`}
          head={userId ? columns.filter(({ key }) => key !== 'Owner') : columns}
        >
          {items.map((key) => (
            <KeyRow
              key={key.id}
              of={key}
              owned={!userId}
              picked={picked.includes(key.id)}
              onPick={(on) => pick(on ? [...picked, key.id] : picked.filter((id) => id !== key.id))}
            />
          ))}
        </Table>
      </Results>
      {asked && <DeleteKeys keys={selected} remove={remove} onDone={() => pick([])} onClose={() => ask(false)} />}
    </>
  )
}

const columns = [
  <Head key="Select">
    <VisuallyHidden>Select</VisuallyHidden>
  </Head>,
  <Head key="Name">Name</Head>,
  <Head key="Owner">Owner</Head>,
  <Head key="Created">Created</Head>,
  <Head key="Last used">Last used</Head>,
]
