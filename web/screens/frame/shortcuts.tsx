import { Kbd, Switch } from '@mantine/core'
import { Dialog } from '../../ui/dialog.tsx'
import { areas } from './areas.ts'
import { useShortcutsOn } from './shortcut-keys.ts'
import css from './shortcuts.module.css'

export default function Shortcuts({ onClose }: { onClose: () => void }) {
  const [on, setOn] = useShortcutsOn()
  return (
    <Dialog title="Keyboard shortcuts" size={400} onClose={onClose}>
      <dl className={css.list}>
        {areas.map(({ label, key }) => (
          <div key={key}>
            <dt>Go to {label}</dt>
            <dd>
              <Kbd>g</Kbd> then <Kbd>{key}</Kbd>
            </dd>
          </div>
        ))}
        <div>
          <dt>Show this list</dt>
          <dd>
            <Kbd>?</Kbd>
          </dd>
        </div>
        <div>
          <dt>Close a dialog or menu</dt>
          <dd>
            <Kbd>Esc</Kbd>
          </dd>
        </div>
      </dl>
      <Switch
        mt="md"
        label="Single-key shortcuts"
        description="Switch them off if they get in the way of your tools. This list stays in your account menu."
        checked={on}
        onChange={(event) => setOn(event.currentTarget.checked)}
      />
    </Dialog>
  )
}
