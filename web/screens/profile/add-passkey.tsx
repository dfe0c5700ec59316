import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { contract } from '../../../contract/index.ts'
import { clientWords } from '../../account/client-words.ts'
import { loadPasskeys, passkeyFault } from '../../account/passkeys.ts'
import { ApiError, api } from '../../client/api.ts'
import { AskName } from '../../ui/ask-name.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormFailure } from '../../ui/form-failure.tsx'
import { say } from '../../ui/notices.tsx'
import { AskPassword } from './ask-password.tsx'
import { passkeysQuery } from './passkey.ts'

type Made = Record<string, unknown>

/** Password, then the browser's own dialog, then a name. */
export function AddPasskey({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const [made, setMade] = useState<Made>()
  const [fault, setFault] = useState<string>()
  const make = async (current_password: string) => {
    setFault(undefined)
    const [{ startRegistration }, { options }] = await Promise.all([
      loadPasskeys(),
      api.startPasskey({ current_password }),
    ])
    try {
      setMade({ ...(await startRegistration({ optionsJSON: options as never })) })
    } catch (error) {
      if (error instanceof ApiError) throw error
      setFault(passkeyFault(error) ?? 'The browser could not make a passkey. Try again, or use another device.')
    }
  }
  const add = async (name: string, response: Made) => {
    await api.addPasskey({ name, response })
    await client.invalidateQueries({ queryKey: passkeysQuery.queryKey })
    say('Passkey added')
    onClose()
  }
  return (
    <Dialog title={made ? 'Name the passkey' : 'Add a passkey'} onClose={onClose}>
      {made ? (
        <AskName
          description="Name it after the device that holds it."
          input={contract.addPasskey.input}
          name={clientWords(navigator.userAgent)}
          action="Add passkey"
          send={(name) => add(name, made)}
          onCancel={onClose}
        />
      ) : (
        <AskPassword action="Continue" send={make} onCancel={onClose}>
          First confirm that it is you. Then your browser asks where to keep the passkey: on this device, on your phone
          or on a security key.
          <FormFailure>{fault}</FormFailure>
        </AskPassword>
      )}
    </Dialog>
  )
}
