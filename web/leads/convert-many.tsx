import { Button, Switch } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../client/api.ts'
import { isClosedLead, isConverted } from '../records/data/leads.ts'
import { recordsChanged } from '../records/data/record-cache.ts'
import type { RecordShape } from '../records/data/records-api.ts'
import type { ObjectShape } from '../records/data/schema.ts'
import { saidAndUndoable } from '../records/data/undo.ts'
import { counted } from '../records/data/value-text.ts'
import { wordsOf } from '../ui/basics/errors.ts'
import { Dialog, DialogActions } from '../ui/form/dialog.tsx'
import css from './convert.module.css'

type Props = { object: ObjectShape; ids: string[]; rows: RecordShape[]; onClose: () => void }
type Failed = { id: string; words: string }

/** Converts leads one after the other, each with what Kith finds for it. Those that fail are listed at the end. */
export function ConvertMany({ object, ids, rows, onClose }: Props) {
  const client = useQueryClient()
  const [hasDeal, setDeal] = useState(true)
  const [failed, setFailed] = useState<Failed[]>()
  const [done, setDone] = useState<number>()
  // As they were when the dialog opened: those that are converted now are no news.
  const [{ left, converted, disqualified }] = useState(() => partsOf(object, ids, rows))
  const titleOf = (id: string) => String(rows.find((row) => row.id === id)?.title ?? object.label)
  const convert = async () => {
    const sets: string[] = []
    const refused: Failed[] = []
    for (const [i, id] of left.entries()) {
      setDone(i)
      try {
        const { change_set_id } = await api.convertLead({ id, ...(!hasDeal && { deal: null }) })
        if (change_set_id) sets.push(change_set_id)
      } catch (error) {
        refused.push({ id, words: wordsOf(error) })
      }
    }
    setDone(undefined)
    void recordsChanged(client)
    if (sets.length) saidAndUndoable(`${counted(sets.length, object)} converted.`, sets, left)
    if (!refused.length) return onClose()
    setFailed(refused)
  }
  if (failed)
    return (
      <Dialog title={`${counted(left.length - failed.length, object)} converted`} onClose={onClose}>
        <p className={css.note}>{counted(failed.length, object)} could not be converted:</p>
        <ul className={css.failures} role="alert">
          {failed.map(({ id, words }) => (
            <li key={id}>
              <bdi>{titleOf(id)}</bdi>: {words}
            </li>
          ))}
        </ul>
        <DialogActions>
          <Button onClick={onClose} data-autofocus>
            Close
          </Button>
        </DialogActions>
      </Dialog>
    )
  return (
    <Dialog title={`Convert ${counted(left.length, object)}?`} onClose={onClose}>
      <p className={css.note}>
        Existing people and organizations are found by email address, phone number, domain or name. The others are
        created.
      </p>
      {converted > 0 && (
        <p className={css.note}>
          {counted(converted, object)} {converted === 1 ? 'is' : 'are'} already converted and will be skipped.
        </p>
      )}
      {disqualified > 0 && (
        <p className={css.note}>
          {counted(disqualified, object)} {disqualified === 1 ? 'is' : 'are'} disqualified and will be converted as
          well.
        </p>
      )}
      <Switch
        mt="md"
        label="Create a deal for each"
        checked={hasDeal}
        onChange={(e) => setDeal(e.currentTarget.checked)}
      />
      {done !== undefined && (
        <p className={css.note} role="status">
          {done} of {left.length} converted
        </p>
      )}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={done !== undefined} disabled={!left.length} onClick={() => void convert()} data-autofocus>
          Convert {counted(left.length, object)}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function partsOf(object: ObjectShape, ids: string[], rows: RecordShape[]) {
  const chosen = rows.filter(({ id }) => ids.includes(id))
  const isDone = (id: string) => chosen.some((row) => row.id === id && isConverted(object, row))
  const left = ids.filter((id) => !isDone(id))
  const disqualified = chosen.filter((row) => isClosedLead(object, row) && !isConverted(object, row)).length
  return { left, converted: ids.length - left.length, disqualified }
}
