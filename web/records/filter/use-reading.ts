// Reads a text while somebody types it: never in the way of a key, and without scolding a word that is not finished.
import { useEffect, useEffectEvent, useState } from 'react'
import type { Fault, Scope } from '../../../contract/filter/index.ts'
import { type Reading, read, unknownNames } from './read.ts'

export type Draft = { text: string; cursor: number }

const pauseMs = 200
const longPauseMs = 900
const serverMs = 300

export function useReading(draft: Draft, scope: Scope, onValid: (text: string) => void) {
  const [faults, setFaults] = useState<Fault[]>([])
  const valid = useEffectEvent(onValid)
  const look = useEffectEvent(() => read(draft.text, scope))

  useEffect(() => {
    const { text, cursor } = draft
    const timers: ReturnType<typeof setTimeout>[] = []
    const later = (run: () => void, ms: number) => timers.push(setTimeout(run, ms))
    const askServer = async (reading: Reading) => {
      const unknown = await unknownNames(reading)
      if (timers.length) setFaults(unknown)
    }
    later(() => {
      const reading = look()
      const touches = ({ at }: Fault) => !at || (at.offset <= cursor && cursor <= at.offset + at.length)
      setFaults(reading.faults.filter((fault) => !touches(fault)))
      if (reading.faults.some(touches)) later(() => setFaults(reading.faults), longPauseMs - pauseMs)
      if (!reading.filter) return
      valid(text)
      later(() => void askServer(reading), serverMs)
    }, pauseMs)
    return () => {
      timers.forEach(clearTimeout)
      timers.length = 0
    }
  }, [draft])

  return { faults, show: setFaults }
}
