import { Button, Radio } from '@mantine/core'
import { useState } from 'react'
import { useStore } from '../../client/store.ts'
import { Dialog, DialogActions } from '../../ui/form/dialog.tsx'
import { Ago } from '../../ui/text/ago.tsx'
import { type Conflict, conflicts } from '../data/conflict.ts'
import { useObject } from '../data/schema.ts'
import { FieldValue } from '../fields/field-value.tsx'
import css from './conflict-dialog.module.css'

/** Rendered once in the frame: shows the other user's values next to yours and lets you choose. */
export default function Conflicts() {
  const [first] = useStore(conflicts)
  if (!first) return null
  return <Question key={first.number} conflict={first} />
}

function Question({ conflict: { object: key, theirs, mine, by, answer } }: { conflict: Conflict }) {
  const object = useObject(key)
  const [chosen, setChosen] = useState<Record<string, 'mine' | 'theirs'>>({})
  const fields = Object.keys(mine).flatMap((one) => object?.byKey.get(one) ?? [])
  const save = () => {
    const kept = fields.filter((field) => (chosen[field.key] ?? 'mine') === 'mine')
    answer(kept.length ? Object.fromEntries(kept.map((field) => [field.key, mine[field.key]])) : null)
  }
  return (
    <Dialog title={`${by?.name ?? 'Someone else'} changed this too`} size={520} onClose={() => answer(null)}>
      <p className={css.lead}>
        {by ? (
          <>
            <bdi>{by.name}</bdi> edited <b dir="auto">{String(theirs.title ?? '')}</b> <Ago at={by.at} />, while you
            were working on it.
          </>
        ) : (
          <>
            <b dir="auto">{String(theirs.title ?? '')}</b> was edited while you were working on it.
          </>
        )}{' '}
        Choose the value to keep.
      </p>
      {fields.map((field) => (
        <Radio.Group
          key={field.key}
          label={field.label}
          value={chosen[field.key] ?? 'mine'}
          onChange={(which) => setChosen((all) => ({ ...all, [field.key]: which as 'mine' | 'theirs' }))}
        >
          <div className={css.choices}>
            <Radio.Card value="mine" className={css.choice}>
              <Radio.Indicator />
              <span>
                <small>Yours</small>
                <FieldValue field={field} value={mine[field.key]} empty="Empty" tabIndex={-1} />
              </span>
            </Radio.Card>
            <Radio.Card value="theirs" className={css.choice}>
              <Radio.Indicator />
              <span>
                <small>{by?.name ?? 'Theirs'}</small>
                <FieldValue field={field} value={theirs[field.key]} empty="Empty" tabIndex={-1} />
              </span>
            </Radio.Card>
          </div>
        </Radio.Group>
      ))}
      <DialogActions>
        <Button variant="default" onClick={() => answer(null)}>
          Keep theirs
        </Button>
        <Button onClick={save} data-autofocus>
          Save selected values
        </Button>
      </DialogActions>
    </Dialog>
  )
}
