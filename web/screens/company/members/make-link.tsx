import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { wordsOf } from '../../../ui/form-errors.ts'
import { FormFailure } from '../../../ui/form-failure.tsx'
import { type MadeLink, ShownLink } from './account-link.tsx'

type Props = { title: string; make: () => Promise<MadeLink>; onClose: () => void; children: ReactNode }

/** Plain state on purpose: a mutation would hold on to the link after the dialog is gone. */
export function MakeLink({ title, make, onClose, children }: Props) {
  const [made, setMade] = useState<MadeLink>()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const create = async () => {
    setBusy(true)
    setFailure(undefined)
    await make().then(setMade, (error) => setFailure(wordsOf(error)))
    setBusy(false)
  }
  return (
    <Dialog title={title} size={520} onClose={onClose}>
      {made ? <ShownLink of={made} /> : children}
      <FormFailure>{failure}</FormFailure>
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {made ? 'Done' : 'Cancel'}
        </Button>
        {!made && (
          <Button loading={busy} onClick={create} data-autofocus>
            Create link
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}
