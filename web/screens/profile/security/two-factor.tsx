import { Button } from '@mantine/core'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { ShieldCheck, ShieldOff } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { useUnsaved } from '../../../client/unsaved.ts'
import { Loaded } from '../../../ui/basics/loaded.tsx'
import { say } from '../../../ui/basics/notices.tsx'
import { Dialog } from '../../../ui/form/dialog.tsx'
import { asDay } from '../../../ui/text/moments.ts'
import { AskPassword } from './ask-password.tsx'
import { RecoveryCodes, ScanCode } from './recovery-codes.tsx'
import css from './security.module.css'
import { sessionsQuery } from './sessions.tsx'

export function TwoFactor() {
  const [task, setTask] = useState<TwoFactorTask>()
  const state = useQuery(twoFactorQuery)
  return (
    <>
      <Loaded query={state} what="two-factor sign-in" height={64}>
        {({ on_since, recovery_codes_left: left }) =>
          on_since ? <On since={on_since} left={left} onTask={setTask} /> : <Off onTask={setTask} />
        }
      </Loaded>
      {task && <TwoFactorDialog task={task} onClose={() => setTask(undefined)} />}
    </>
  )
}

type TaskProps = { onTask: (task: TwoFactorTask) => void }

const Off = ({ onTask }: TaskProps) => (
  <>
    <p className={css.state}>
      <ShieldOff size={18} />
      <span>
        <strong>Off.</strong> Anyone who learns your password can sign in as you.
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
      <ShieldCheck size={18} />
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
  if (left === 0) return 'No recovery codes left. Create new ones.'
  if (left === 1) return '1 recovery code left. Create new ones.'
  return left <= 3 ? `${left} recovery codes left. Create new ones soon.` : `${left} recovery codes left.`
}

type Secret = { secret: string; uri: string }

const titles: Record<TwoFactorTask, string> = {
  'turn on': 'Turn on two-factor sign-in',
  'new codes': 'Create new recovery codes',
  'turn off': 'Turn off two-factor sign-in?',
}

/** The secret and the codes live in this component alone and go with it. */
function TwoFactorDialog({ task, onClose }: { task: TwoFactorTask; onClose: () => void }) {
  const client = useQueryClient()
  const [secret, setSecret] = useState<Secret>()
  const [codes, setCodes] = useState<string[]>()
  const [kept, setKept] = useState(false)
  const [reminded, remind] = useState(false)
  const tellUnsaved = useUnsaved()

  const changed = () => {
    void client.invalidateQueries({ queryKey: sessionsQuery.queryKey }) // Turning it on ends the others.
    return client.invalidateQueries({ queryKey: twoFactorQuery.queryKey })
  }
  const show = (fresh: string[]) => {
    void changed()
    tellUnsaved(true)
    setCodes(fresh)
  }
  const keep = (are: boolean) => {
    tellUnsaved(!are)
    setKept(are)
  }
  const mayLeave = () => {
    if (codes && !kept) remind(true)
    return !codes || kept
  }
  useBlocker({ shouldBlockFn: () => !mayLeave(), enableBeforeUnload: false })
  const close = () => mayLeave() && onClose()

  const steps = {
    'turn on': async (current_password: string) => setSecret(await api.startTwoFactor({ current_password })),
    'new codes': async (current_password: string) =>
      show((await api.renewRecoveryCodes({ current_password })).recovery_codes),
    'turn off': async (current_password: string) => {
      await api.deleteTwoFactor({ current_password })
      await changed()
      say('Two-factor sign-in is off')
      onClose()
    },
  }
  return (
    <Dialog
      title={codes ? 'Save your recovery codes' : titles[task]}
      size={codes || secret ? 480 : 440}
      tall={Boolean(codes || secret)}
      onClose={close}
    >
      {codes ? (
        <RecoveryCodes codes={codes} kept={kept} reminded={reminded} onKept={keep} onDone={close} />
      ) : secret ? (
        <ScanCode {...secret} onConfirmed={show} onCancel={onClose} />
      ) : (
        <AskPassword action={task === 'turn off' ? 'Turn off' : 'Continue'} send={steps[task]} onCancel={onClose}>
          {about[task]}
        </AskPassword>
      )}
    </Dialog>
  )
}

const about: Record<TwoFactorTask, string> = {
  'turn on':
    'You need an authenticator app on your phone, such as Google Authenticator, 1Password or Aegis. First confirm that it’s you.',
  'new codes': 'Your current codes stop working immediately.',
  'turn off': 'Your password alone will be enough to sign in. Your recovery codes stop working.',
}

const twoFactorQuery = queryOptions({ queryKey: ['two-factor'], queryFn: () => api.getTwoFactor({}) })
type TwoFactorTask = 'turn on' | 'new codes' | 'turn off'
