import { useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../client/api.ts'
import { useUnsaved } from '../../client/unsaved.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { say } from '../../ui/notices.tsx'
import { AskPassword } from './ask-password.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { ScanCode } from './scan-code.tsx'
import { sessionsQuery } from './sessions.tsx'
import { type TwoFactorTask, twoFactorQuery } from './two-factor-query.ts'

type Secret = { secret: string; uri: string }

const titles: Record<TwoFactorTask, string> = {
  'turn on': 'Turn on two-factor sign-in',
  'new codes': 'Make new recovery codes',
  'turn off': 'Turn off two-factor sign-in?',
}

/** The secret and the codes live in this component alone and go with it. */
export function TwoFactorDialog({ task, onClose }: { task: TwoFactorTask; onClose: () => void }) {
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
      await api.turnOffTwoFactor({ current_password })
      await changed()
      say('Two-factor sign-in is off')
      onClose()
    },
  }
  return (
    <Dialog
      title={codes ? 'Keep your recovery codes' : titles[task]}
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
    'You need an authenticator app on your phone, such as Google Authenticator, 1Password or Aegis. First confirm that it is you.',
  'new codes': 'The codes that you have now stop working at once.',
  'turn off': 'Your password alone will be enough to sign in. Your recovery codes stop working.',
}
