import { Button, Switch } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { recordsChanged } from '../../../records/record-cache.ts'
import type { RecordShape } from '../../../records/records-api.ts'
import type { ObjectShape } from '../../../records/schema.ts'
import { saidAndUndoable } from '../../../records/undo.tsx'
import { counted } from '../../../records/value-text.ts'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { wordsOf } from '../../../ui/form-errors.ts'
import css from './convert.module.css'

type Props = { object: ObjectShape; ids: string[]; rows: RecordShape[]; onClose: () => void }
type Failed = { id: string; words: string }

/** Converts leads one after the other, each with what Kith finds for it. Those that fail stay in the dialog. */
export function ConvertMany({ object, ids, rows, onClose }: Props) {
  const client = useQueryClient()
  const [hasDeal, setDeal] = useState(true)
  const [left, setLeft] = useState(ids)
  const [failed, setFailed] = useState<Failed[]>([])
  const [done, setDone] = useState<number>()
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
    setLeft(refused.map(({ id }) => id))
  }
  return (
    <Dialog title={`Convert ${counted(left.length, object)}?`} onClose={onClose}>
      <p className={css.note}>
        People and organizations that you have already are found by email address, phone number, domain or name. Others
        are created.
      </p>
      <Switch
        mt="md"
        label="Create a deal for each"
        checked={hasDeal}
        onChange={(e) => setDeal(e.currentTarget.checked)}
      />
      {failed.length > 0 && (
        <ul className={css.failures} role="alert">
          {failed.map(({ id, words }) => (
            <li key={id}>
              <bdi>{titleOf(id)}</bdi>: {words}
            </li>
          ))}
        </ul>
      )}
      {done !== undefined && (
        <p className={css.note} role="status">
          {done} of {left.length} converted
        </p>
      )}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {failed.length ? 'Close' : 'Cancel'}
        </Button>
        <Button loading={done !== undefined} onClick={() => void convert()} data-autofocus>
          {failed.length ? 'Try again' : `Convert ${counted(left.length, object)}`}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
