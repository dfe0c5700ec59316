import { Button } from '@mantine/core'
import { Plus, Trash2 } from 'lucide-react'
import css from './key-toolbar.module.css'
import { counted } from './keys.ts'

type Props = { count: number; selected: number; onAdd?: () => void; onDelete: () => void }

export const KeyToolbar = ({ count, selected, onAdd, onDelete }: Props) => (
  <div className={css.toolbar}>
    <span className={css.count} role="status">
      {selected ? `${selected} selected` : counted(count)}
    </span>
    <Button
      variant="default"
      className={css.delete}
      disabled={!selected}
      title={selected ? undefined : 'Select the keys to delete'}
      leftSection={<Trash2 size={14} aria-hidden="true" />}
      onClick={onDelete}
    >
      Delete
    </Button>
    {onAdd && (
      <Button leftSection={<Plus size={15} aria-hidden="true" />} onClick={onAdd}>
        Add
      </Button>
    )}
  </div>
)
