import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Fingerprint, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { canUsePasskeys } from '../../account/passkeys.ts'
import { Ago } from '../../ui/ago.tsx'
import { Failure } from '../../ui/failure.tsx'
import { asDay } from '../../ui/moments.ts'
import { RowMenu } from '../../ui/row-menu.tsx'
import { RowOf, Rows } from '../../ui/rows.tsx'
import { AddPasskey } from './add-passkey.tsx'
import { DeletePasskey, RenamePasskey } from './change-passkey.tsx'
import { type Passkey, passkeysQuery } from './passkey.ts'
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
          <Button
            variant="default"
            leftSection={<Plus size={15} aria-hidden="true" />}
            onClick={() => open({ kind: 'add' })}
          >
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
      ? 'You cannot add one here: browsers keep passkeys only for an address with a name under https, such as https://crm.example.com. You opened Kith another way.'
      : 'You cannot add one here: this browser does not know passkeys, or Kith was not opened under https.'}
  </p>
)

function PasskeyList({ open }: { open: (dialog: Open) => void }) {
  const passkeys = useQuery(passkeysQuery)
  if (passkeys.isPending) return <Skeleton height={56} radius="lg" role="status" aria-label="Loading passkeys" />
  if (passkeys.isError && !passkeys.data)
    return <Failure error={passkeys.error} onRetry={passkeys.refetch} busy={passkeys.isFetching} />
  if (!passkeys.data.items.length) return <p className={css.none}>You have no passkeys yet.</p>
  return (
    <Rows label="Your passkeys">
      {passkeys.data.items.map((passkey) => (
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
