import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ShieldCheck, ShieldOff } from 'lucide-react'
import { useState } from 'react'
import { Failure } from '../../ui/failure.tsx'
import { asDay } from '../../ui/moments.ts'
import css from './security.module.css'
import { TwoFactorDialog } from './two-factor-dialog.tsx'
import { type TwoFactorTask, twoFactorQuery } from './two-factor-query.ts'

export function TwoFactor() {
  const [task, setTask] = useState<TwoFactorTask>()
  const state = useQuery(twoFactorQuery)
  if (state.isPending) return <Skeleton height={64} radius="lg" role="status" aria-label="Loading two-factor sign-in" />
  if (state.isError && !state.data)
    return <Failure error={state.error} onRetry={state.refetch} busy={state.isFetching} />
  const { on_since, recovery_codes_left } = state.data
  return (
    <>
      {on_since ? <On since={on_since} left={recovery_codes_left} onTask={setTask} /> : <Off onTask={setTask} />}
      {task && <TwoFactorDialog task={task} onClose={() => setTask(undefined)} />}
    </>
  )
}

type TaskProps = { onTask: (task: TwoFactorTask) => void }

const Off = ({ onTask }: TaskProps) => (
  <>
    <p className={css.state}>
      <ShieldOff size={18} aria-hidden="true" />
      <span>
        <strong>Off.</strong> Whoever learns your password can sign in as you.
      </span>
    </p>
    <div className={css.actions}>
      <Button onClick={() => onTask('turn on')}>Turn on</Button>
    </div>
  </>
)

const On = ({ since, left, onTask }: TaskProps & { since: string; left: number }) => (
  <>
    <p className={css.state} data-tone="ok">
      <ShieldCheck size={18} aria-hidden="true" />
      <span>
        <strong>On</strong> since {asDay(since)}.{' '}
        <span className={css.left} data-few={left <= 3 || undefined}>
          {leftWords(left)}
        </span>
      </span>
    </p>
    <div className={css.actions}>
      <Button variant="default" onClick={() => onTask('new codes')}>
        New recovery codes
      </Button>
      <Button variant="default" onClick={() => onTask('turn off')}>
        Turn off
      </Button>
    </div>
  </>
)

function leftWords(left: number) {
  if (left === 0) return 'No recovery code is left. Make new ones.'
  if (left === 1) return '1 recovery code is left. Make new ones.'
  return left <= 3 ? `${left} recovery codes are left. Make new ones soon.` : `${left} recovery codes are left.`
}
