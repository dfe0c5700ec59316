import { useEffect, useState } from 'react'
import { copyText } from './copy-text.ts'

/** Copies, and knows for a moment how that went. */
export function useCopy(value: string, onCopied?: () => void) {
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()
  useEffect(() => {
    if (!outcome) return
    const timer = setTimeout(() => setOutcome(undefined), 2000)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async () => {
    const done = await copyText(value)
    setOutcome(done ? 'copied' : 'failed')
    if (done) onCopied?.()
  }
  return { outcome, copy }
}
