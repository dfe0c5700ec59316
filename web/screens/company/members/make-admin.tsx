import { Button } from '@mantine/core'
import confirm from '../../../ui/confirm.module.css'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import type { User } from '../../../users/users.ts'

type Props = { of: User; role: string; onSure: () => void; onClose: () => void }

/** Whoever gets this role could take it from the one who gives it. */
export const MakeAdmin = ({ of: user, role, onSure, onClose }: Props) => (
  <Dialog title={`Make ${user.name} ${role}?`} onClose={onClose}>
    <div className={confirm.text}>
      <p>
        {user.kind === 'agent' ? 'The agent' : 'They'} may then do everything: read and delete all records, change
        settings and roles, and remove anybody, you included.
      </p>
    </div>
    <DialogActions>
      <Button variant="default" onClick={onClose} data-autofocus>
        Cancel
      </Button>
      <Button
        onClick={() => {
          onClose()
          onSure()
        }}
      >
        Make {role}
      </Button>
    </DialogActions>
  </Dialog>
)
