import { Button } from '@mantine/core'
import { Dialog, DialogActions } from './dialog.tsx'

export const LeaveQuestion = ({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) => (
  <Dialog title="Leave without saving?" onClose={onStay}>
    What you changed on this page is not saved yet.
    <DialogActions>
      <Button variant="default" onClick={onLeave}>
        Leave without saving
      </Button>
      <Button onClick={onStay} data-autofocus>
        Stay
      </Button>
    </DialogActions>
  </Dialog>
)
