import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { Failure } from '../ui/failure.tsx'
import { Wordmark } from '../ui/logo.tsx'
import css from './unreachable.module.css'

/** Kith could not even learn who is there. */
export function Unreachable({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const [busy, setBusy] = useState(false)
  const retry = async () => {
    setBusy(true)
    await router.invalidate()
    setBusy(false)
    reset()
  }
  return (
    <main className={css.room}>
      <title>No connection · Kith</title>
      <h1 tabIndex={-1}>
        <Wordmark />
      </h1>
      <Failure error={error} onRetry={retry} busy={busy} />
    </main>
  )
}
