import { Button } from '@mantine/core'
import css from './undo-message.module.css'

export const UndoMessage = ({ text, undo }: { text: string; undo: () => void }) => (
  <span className={css.undoable}>
    <span>{text}</span>
    <Button variant="default" size="compact-sm" onClick={undo}>
      Undo
    </Button>
  </span>
)
