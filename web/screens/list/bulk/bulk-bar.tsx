import { Button, CloseButton, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Download, type LucideIcon, Merge, Pencil, Tags, Trash2, UserRound } from 'lucide-react'
import { useState } from 'react'
import { mostMerged } from '../../../../contract/records.ts'
import { useSignedIn } from '../../../client/session.ts'
import { ConvertDialog, ConvertIcon, ConvertMany } from '../../../leads/convert.tsx'
import { isCompared } from '../../../records/data/compared.ts'
import { isLeads } from '../../../records/data/leads.ts'
import { openMerge } from '../../../records/data/open-merge.ts'
import type { ObjectShape } from '../../../records/data/schema.ts'
import { counted, pluralOf } from '../../../records/data/value-text.ts'
import type { Selection } from '../../../records/lists/use-selection.ts'
import { Confirm } from '../../../ui/form/dialog.tsx'
import { asNumber } from '../../../ui/text/numbers.ts'
import css from './bulk.module.css'
import { askingAgain } from './bulk-change.tsx'
import { BulkEdit } from './bulk-edit.tsx'
import type { Bulk } from './use-bulk.ts'

type Props = {
  object: ObjectShape
  selection: Selection
  total: { count: number; isExact: boolean } | undefined
  bulk: Bulk
  /** All that match are loaded. */
  isWhole: boolean
}

/** What can be done with the selected records. */
export function BulkBar({ object, selection, total, bulk, isWhole }: Props) {
  const { may } = useSignedIn()
  const count = selection.isAll ? total && total.count - selection.except.size : selection.ids.size
  const isMore = total !== undefined && total.count > (count ?? total.count)
  const hasTags = object.byKey.get('tags')?.type === 'multi_select'
  const { edits, deletes } = bulk
  return (
    <>
      {selection.ids.size > 0 && (
        <section className={css.bar} aria-label="Selection" data-selection-bar>
          <span role="status" className={css.said}>
            <b>{count === undefined ? 'All' : asNumber(count)}</b> selected
          </span>
          {isMore && (
            <Button size="compact-sm" variant="subtle" onClick={isWhole ? selection.selectLoaded : selection.selectAll}>
              Select all {asNumber(total.count)}
              {!total.isExact && '+'}
            </Button>
          )}
          <div className={css.actions}>
            <Action icon={Pencil} label="Edit" of={edits} act={() => bulk.askToEdit()} />
            <Action icon={UserRound} label="Owner" of={edits} act={() => bulk.askToEdit('owner')} />
            {hasTags && <Action icon={Tags} label="Tags" of={edits} act={() => bulk.askToEdit('tags')} />}
            {isLeads(object) && !edits.isJob && (
              <Action icon={ConvertIcon} label="Convert" of={edits} act={bulk.askToConvert} />
            )}
            {isCompared(object) && (
              <Action
                icon={Merge}
                label="Merge"
                of={mergeable(bulk, selection)}
                act={() => openMerge({ object: object.key, ids: [...selection.ids], onDone: selection.clear })}
              />
            )}
            {may('records.export') && bulk.canExport && (
              <Action icon={Download} label="Export" act={bulk.askToExport} />
            )}
            <Action icon={Trash2} label="Delete" of={deletes} act={bulk.askToDelete} />
          </div>
          <CloseButton size="sm" className={css.close ?? ''} aria-label="Clear selection" onClick={selection.clear} />
        </section>
      )}
      {asksToEdit(bulk.asked) && <BulkEdit object={object} bulk={bulk} first={bulk.asked} />}
      {bulk.asked === 'convert' && <BulkConvert object={object} bulk={bulk} />}
      {bulk.asked === 'delete' && <BulkDelete object={object} bulk={bulk} />}
    </>
  )
}

const asksToEdit = (asked: Bulk['asked']): asked is 'edit' | 'owner' | 'tags' =>
  asked === 'edit' || asked === 'owner' || asked === 'tags'

/** One stays and is edited, the others are deleted. */
function mergeable({ edits, deletes }: Bulk, { isAll, ids }: Selection) {
  const [refused] = [edits, deletes].filter(({ isPossible }) => !isPossible)
  if (refused) return refused
  return { isPossible: !isAll && ids.size <= mostMerged, refusal: `Select at most ${mostMerged} to merge` }
}

type ActionProps = {
  icon: LucideIcon
  label: string
  /** What the user's role says; nothing: it is possible. */
  of?: { isPossible: boolean; refusal: string }
  act: () => void
}

/** What would be refused for all of them says why, instead of trying. */
const Action = ({ icon: Icon, label, of, act }: ActionProps) => {
  const isRefused = of !== undefined && !of.isPossible
  const button = (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<Icon size={13} />}
      {...(isRefused && { 'data-disabled': true, 'aria-disabled': true })}
      onClick={isRefused ? undefined : act}
    >
      {label}
    </Button>
  )
  return isRefused ? <Tooltip label={of.refusal}>{button}</Tooltip> : button
}

/** A single lead gets the whole dialog. */
function BulkConvert({ object, bulk: { edits, rows, close } }: { object: ObjectShape; bulk: Bulk }) {
  const [ids] = useState(edits.ids)
  const lead = ids.length === 1 ? rows.find(({ id }) => id === ids[0]) : undefined
  if (lead) return <ConvertDialog lead={lead} onClose={close} />
  return <ConvertMany object={object} ids={ids} rows={rows} onClose={close} />
}

/** The server says how many records match now, because the list may have changed since it was loaded. */
function BulkDelete({ object, bulk }: { object: ObjectShape; bulk: Bulk }) {
  const { data: count, refetch } = useQuery({
    queryKey: ['bulk delete', object.key],
    queryFn: bulk.countDelete,
    gcTime: 0,
    staleTime: 0,
    retry: false,
  })
  const what = count === undefined ? pluralOf(object) : counted(count, object)
  const { isJob, skipped } = bulk.deletes
  return (
    <Confirm
      title={`Delete ${what}?`}
      action={count === undefined ? 'Delete' : `Delete ${what}`}
      act={() => bulk.remove(count).catch(askingAgain(refetch))}
      onDone={() => {}}
      onClose={bulk.close}
    >
      <p>They move to the trash, where you can restore them.{isJob && ' This runs in the background.'}</p>
      {skipped && <p>{skipped}</p>}
    </Confirm>
  )
}
