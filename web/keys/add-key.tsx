import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { useUnsaved } from '../client/unsaved.ts'
import { Dialog } from '../ui/form/dialog.tsx'
import { AskName } from '../ui/form/form.tsx'
import { rulesOf } from '../ui/form/rules-of.ts'
import { Prefix } from './key-cells.tsx'
import type { Key } from './keys.ts'
import { NewKey, NotCopied, RotationSteps } from './new-key.tsx'

export type MadeKey = { key: Key; value: string }

type CreateKey = (name: string) => Promise<MadeKey>
type Props = { replaces?: Key; create: CreateKey; onClose: () => void }

/** Makes a key and shows its value, which lives in this component alone and goes with it. */
export function AddKey({ replaces, create, onClose }: Props) {
  const [made, setMade] = useState<MadeKey>()
  const [copied, setCopied] = useState(false)
  const [question, setQuestion] = useState<'unasked' | 'asking' | 'asked'>('unasked')
  const tellUnsaved = useUnsaved()

  const mayLeave = () => !made || copied || question !== 'unasked'
  const close = () => {
    if (question === 'asking') return setQuestion('asked')
    if (mayLeave()) return onClose()
    setQuestion('asking')
  }
  useBlocker({
    shouldBlockFn: () => {
      const stay = !mayLeave()
      if (stay) setQuestion('asking')
      return stay
    },
    enableBeforeUnload: false,
  })
  const onMade = (fresh: MadeKey) => {
    tellUnsaved(true)
    setMade(fresh)
  }
  const onCopied = () => {
    tellUnsaved(false)
    setCopied(true)
  }

  const asking = question === 'asking'
  const title = asking
    ? 'You have not copied the key'
    : made
      ? `New key: ${made.key.name}`
      : replaces
        ? 'Rotate a key'
        : 'Add a key'
  return (
    <Dialog title={title} size={made && !asking ? 640 : 480} tall={Boolean(made) && !asking} onClose={close}>
      {!made && <KeyForm replaces={replaces} create={create} onMade={onMade} onCancel={onClose} />}
      {made && (
        <div hidden={asking}>
          <NewKey made={made} replaces={replaces} onCopied={onCopied} onDone={close} />
        </div>
      )}
      {made && asking && (
        <NotCopied value={made.value} onBack={() => setQuestion('asked')} onCopied={onCopied} onLeave={onClose} />
      )}
    </Dialog>
  )
}

type KeyFormProps = { replaces?: Key; create: CreateKey; onMade: (made: MadeKey) => void; onCancel: () => void }

const KeyForm = ({ replaces, create, onMade, onCancel }: KeyFormProps) => (
  <AskName
    about={
      replaces && (
        <>
          A new key replaces <bdi>{replaces.name}</bdi> <Prefix of={replaces} /> in three steps:
          <RotationSteps current={0} />
        </>
      )
    }
    description="Name it after the client that will use it, such as Claude Desktop. One key per client."
    input={rulesOf(
      () => import('../../contract/api-keys.ts'),
      ({ apiKeys }) => apiKeys.createApiKey.input.pick({ name: true }),
    )}
    name={replaces?.name ?? ''}
    action="Create key"
    send={async (name) => onMade(await create(name))}
    onCancel={onCancel}
  />
)
