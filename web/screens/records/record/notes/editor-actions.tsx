import { Button, Kbd } from '@mantine/core'
import { modKey } from '../../../../ui/mod-key.ts'
import css from './notes.module.css'

type Props = { isPending: boolean; isEmpty: boolean; onCancel: () => void; onSave: () => void }

export const EditorActions = ({ isPending, isEmpty, onCancel, onSave }: Props) => (
  <div className={css.editorActions}>
    <span className={css.hint}>
      <Kbd size="xs">{modKey}</Kbd> <Kbd size="xs">Enter</Kbd> saves
    </span>
    <Button variant="subtle" color="gray" size="compact-sm" onClick={onCancel}>
      Cancel
    </Button>
    <Button size="compact-sm" loading={isPending} disabled={isEmpty} onClick={onSave}>
      Save note
    </Button>
  </div>
)
