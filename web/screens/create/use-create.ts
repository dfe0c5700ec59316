import { useRef, useState } from 'react'
import { useSignedIn } from '../../client/session.ts'
import { useKept } from '../../records/data/kept.ts'
import { defaultsOf, saidOf } from '../../records/data/known-values.ts'
import type { RecordShape } from '../../records/data/records-api.ts'
import type { ObjectShape } from '../../records/data/schema.ts'
import type { Values } from '../../records/data/update-record.ts'
import { useNewRecord } from '../../records/forms/new-record.tsx'

/**
 * A new record, with what was typed kept as a draft while the form is closed. The next form offers the draft and does not
 * fill it in by itself: it was meant for another record.
 */
export function useCreate(object: ObjectShape, begin: Values, onSaved: (record: RecordShape) => void) {
  const { me } = useSignedIn()
  const [kept, keep] = useKept<Values>(`create ${object.key}`, {})
  const [draft, setDraft] = useState(Object.keys(kept).length ? kept : undefined)
  const [initial] = useState<Values>(() => ({ ...defaultsOf(object, me.id), ...begin }))
  const typed = useRef<Values>({})
  // Editors keep what is typed in them, so other values need new ones.
  const [version, setVersion] = useState(0)
  const { change, restart, ...rest } = useNewRecord(object, {
    initial,
    onCreated: () => keep(draft),
    onDone: onSaved,
  })
  const fill = (values: Values) => {
    restart(values)
    setVersion(version + 1)
  }
  return {
    ...rest,
    version,
    draft,
    initial,
    change: (key: string, value: unknown) => {
      change({ [key]: value })
      typed.current = { ...typed.current, [key]: value }
      const said = saidOf(typed.current)
      keep(Object.keys(said).length ? said : draft)
    },
    startAgain: () => {
      typed.current = {}
      fill(initial)
    },
    restoreDraft: () => {
      typed.current = { ...draft, ...typed.current }
      fill({ ...defaultsOf(object, me.id), ...draft, ...begin, ...typed.current })
      keep(saidOf(typed.current))
      setDraft(undefined)
    },
    discardDraft: () => {
      keep(Object.keys(typed.current).length ? saidOf(typed.current) : undefined)
      setDraft(undefined)
    },
  }
}
