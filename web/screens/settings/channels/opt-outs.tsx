import { Button } from '@mantine/core'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { contract } from '../../../../contract/index.ts'
import type { Output } from '../../../../contract/operation.ts'
import { api } from '../../../client/api.ts'
import { pagesOf } from '../../../client/pages.ts'
import { Part } from '../../../ui/basics/layout.tsx'
import { LoadedList } from '../../../ui/basics/loaded.tsx'
import { Confirm } from '../../../ui/form/dialog.tsx'
import { RowOf, Rows } from '../../../ui/page/rows.tsx'
import { Ago } from '../../../ui/text/ago.tsx'

type OptOut = Output<typeof contract.listOptOuts>['items'][number]

const optOutsQuery = pagesOf(['inbox', 'opt-outs'], (cursor, signal) => api.listOptOuts({ cursor }, { signal }))

/** Addresses that get no more messages. Nothing is shown if there are none, or if the user may not change them. */
export function OptOuts() {
  const optOuts = useInfiniteQuery({ ...optOutsQuery, retry: false })
  const [allowed, allow] = useState<OptOut>()
  if (!optOuts.data?.pages.some(({ items }) => items.length)) return null
  return (
    <Part
      title="Unsubscribed addresses"
      about="Kith sends no messages to them, even if another person has the same address."
    >
      <LoadedList query={optOuts} what="unsubscribed addresses" small empty={null}>
        {(items) => (
          <Rows label="Unsubscribed addresses">
            {items.map((one) => (
              <RowOf key={one.id} title={one.address} note={<Ago at={one.at} />}>
                <Button variant="default" size="compact-sm" onClick={() => allow(one)}>
                  Allow messages
                </Button>
              </RowOf>
            ))}
          </Rows>
        )}
      </LoadedList>
      {allowed && <Allow of={allowed} onClose={() => allow(undefined)} />}
    </Part>
  )
}

function Allow({ of: { id, address }, onClose }: { of: OptOut; onClose: () => void }) {
  const client = useQueryClient()
  return (
    <Confirm
      title={`Allow messages to ${address}?`}
      action="Allow messages"
      act={() => api.deleteOptOut({ id })}
      onDone={() => client.invalidateQueries({ queryKey: optOutsQuery.queryKey })}
      onClose={onClose}
    >
      Only do this if its owner agreed. If a person has this address, also clear “Do not contact” on their page.
    </Confirm>
  )
}
