import { Button, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { contract } from '../../../contract/index.ts'
import { ApiError, api } from '../../api.ts'
import { clientWords } from '../../ui/client-words.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import css from '../../ui/form.module.css'
import { FormFailure } from '../../ui/form-failure.tsx'
import { say } from '../../ui/notices.ts'
import { useOperationForm } from '../../ui/operation-form.ts'
import { loadPasskeys, passkeyFault } from '../../ui/passkeys.ts'
import { AskPassword } from './ask-password.tsx'
import { passkeysQuery } from './passkey.ts'

type Made = Record<string, unknown>

/** Password, then the browser's own dialog, then a name. */
export function AddPasskey({ onClose }: { onClose: () => void }) {
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
  return (
    <Dialog title={made ? 'Name the passkey' : 'Add a passkey'} onClose={onClose}>
      {made ? (
        <NameForm response={made} onClose={onClose} />
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

function NameForm({ response, onClose }: { response: Made; onClose: () => void }) {
  const client = useQueryClient()
  const { field, submit, failure, isPending } = useOperationForm({
    input: contract.addPasskey.input.pick({ name: true }),
    initialValues: { name: clientWords(navigator.userAgent) },
    send: ({ name }) => api.addPasskey({ name, response }),
    onDone: async () => {
      await client.invalidateQueries({ queryKey: passkeysQuery.queryKey })
      say('Passkey added')
      onClose()
    },
    focusOnRefusal: 'name',
  })
  return (
    <form onSubmit={submit} noValidate>
      <div className={css.fields}>
        <FormFailure>{failure}</FormFailure>
        <TextInput
          label="Name"
          description="Name it after the device that holds it."
          autoComplete="off"
          autoFocus
          {...field('name')}
        />
      </div>
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={isPending}>
          Add passkey
        </Button>
      </DialogActions>
    </form>
  )
}
