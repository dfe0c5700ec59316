import { Button } from '@mantine/core'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { Fingerprint, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { contract } from '../../../../contract/index.ts'
import type { Output } from '../../../../contract/operation.ts'
import { canUsePasskeys, clientWords, loadPasskeys, passkeyFault } from '../../../account/passkeys.ts'
import { ApiError, api } from '../../../client/api.ts'
import { LoadedList } from '../../../ui/basics/loaded.tsx'
import { say } from '../../../ui/basics/notices.tsx'
import { FormFailure } from '../../../ui/basics/states.tsx'
import { Confirm, Dialog } from '../../../ui/form/dialog.tsx'
import { AskName } from '../../../ui/form/form.tsx'
import { rulesOf } from '../../../ui/form/rules-of.ts'
import { RowMenu, RowOf, Rows } from '../../../ui/page/rows.tsx'
import { Ago } from '../../../ui/text/ago.tsx'
import { asDay } from '../../../ui/text/moments.ts'
import { AskPassword } from './ask-password.tsx'
import css from './security.module.css'

type Open = { kind: 'add' } | { kind: 'rename' | 'delete'; passkey: Passkey }

export function Passkeys() {
  const [dialog, open] = useState<Open>()
  const close = () => open(undefined)
  return (
    <>
      <PasskeyList open={open} />
      {canUsePasskeys() ? (
        <div className={css.actions}>
          <Button variant="default" leftSection={<Plus size={15} />} onClick={() => open({ kind: 'add' })}>
            Add a passkey
          </Button>
        </div>
      ) : (
        <CannotAdd />
      )}
      {dialog?.kind === 'add' && <AddPasskey onClose={close} />}
      {dialog?.kind === 'rename' && <RenamePasskey passkey={dialog.passkey} onClose={close} />}
      {dialog?.kind === 'delete' && <DeletePasskey passkey={dialog.passkey} onClose={close} />}
    </>
  )
}

const CannotAdd = () => (
  <p className={css.cannot}>
    {'PublicKeyCredential' in window
      ? 'You cannot add a passkey here. Browsers only store passkeys for https addresses with a domain name, such as https://crm.example.com.'
      : 'You cannot add a passkey here. This browser does not support passkeys, or Kith was not opened via https.'}
  </p>
)

function PasskeyList({ open }: { open: (dialog: Open) => void }) {
  const passkeys = useQuery(passkeysQuery)
  const none = <p className={css.none}>You have no passkeys yet.</p>
  return (
    <LoadedList query={passkeys} what="passkeys" height={56} empty={none}>
      {(items) => (
        <Rows label="Your passkeys">
          {items.map((passkey) => (
            <RowOf key={passkey.id} icon={Fingerprint} title={<bdi>{passkey.name}</bdi>} note={<Use of={passkey} />}>
              <RowMenu
                of={passkey.name}
                actions={[
                  { label: 'Rename', icon: Pencil, open: () => open({ kind: 'rename', passkey }) },
                  { label: 'Delete', icon: Trash2, open: () => open({ kind: 'delete', passkey }) },
                ]}
              />
            </RowOf>
          ))}
        </Rows>
      )}
    </LoadedList>
  )
}

const Use = ({ of: { created_at, last_used_at } }: { of: Passkey }) => (
  <>
    Added {asDay(created_at)} ·{' '}
    {last_used_at ? (
      <>
        last used <Ago at={last_used_at} />
      </>
    ) : (
      'never used'
    )}
  </>
)

type Made = Record<string, unknown>

/** Password, then the browser's own dialog, then a name. */
function AddPasskey({ onClose }: { onClose: () => void }) {
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
      setFault(passkeyFault(error) ?? 'The browser could not create a passkey. Try again, or use another device.')
    }
  }
  const add = async (name: string, response: Made) => {
    await api.createPasskey({ name, response })
    await client.invalidateQueries({ queryKey: passkeysQuery.queryKey })
    say('Passkey added')
    onClose()
  }
  return (
    <Dialog title={made ? 'Name the passkey' : 'Add a passkey'} onClose={onClose}>
      {made ? (
        <AskName
          description="Name it after the device that stores it."
          input={rulesOf(
            () => import('../../../../contract/passkeys.ts'),
            ({ passkeys }) => passkeys.createPasskey.input.pick({ name: true }),
          )}
          name={clientWords(navigator.userAgent)}
          action="Add passkey"
          send={(name) => add(name, made)}
          onCancel={onClose}
        />
      ) : (
        <AskPassword action="Continue" send={make} onCancel={onClose}>
          First confirm that it’s you. Your browser then asks where to store the passkey: on this device, your phone or
          a security key.
          <FormFailure>{fault}</FormFailure>
        </AskPassword>
      )}
    </Dialog>
  )
}

type Props = { passkey: Passkey; onClose: () => void }

function RenamePasskey({ passkey, onClose }: Props) {
  const client = useQueryClient()
  const rename = async (name: string) => {
    await api.updatePasskey({ id: passkey.id, name })
    await client.invalidateQueries({ queryKey: passkeysQuery.queryKey })
    say('Passkey renamed')
    onClose()
  }
  return (
    <Dialog title="Rename the passkey" onClose={onClose}>
      <AskName
        input={rulesOf(
          () => import('../../../../contract/passkeys.ts'),
          ({ passkeys }) => passkeys.updatePasskey.input.pick({ name: true }),
        )}
        name={passkey.name}
        action="Rename"
        send={rename}
        onCancel={onClose}
      />
    </Dialog>
  )
}

function DeletePasskey({ passkey, onClose }: Props) {
  const client = useQueryClient()
  return (
    <Confirm
      title={`Delete ${passkey.name}?`}
      action="Delete"
      act={() => api.deletePasskey({ id: passkey.id })}
      onDone={async () => {
        await client.invalidateQueries({ queryKey: passkeysQuery.queryKey })
        say('Passkey deleted')
      }}
      onClose={onClose}
    >
      <p>You can no longer sign in with it. Your device may still offer it until you remove it there too.</p>
    </Confirm>
  )
}

type Passkey = Output<typeof contract.listPasskeys>['items'][number]
const passkeysQuery = queryOptions({ queryKey: ['passkeys'], queryFn: () => api.listPasskeys({}) })
