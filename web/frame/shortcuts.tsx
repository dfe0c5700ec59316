import { Kbd, Switch } from '@mantine/core'
import { Fragment } from 'react'
import { useShortcutsOn } from '../account/choices.ts'
import { areas } from '../client/areas.ts'
import { Dialog } from '../ui/dialog.tsx'
import { modKey } from '../ui/mod-key.ts'
import css from './shortcuts.module.css'

/** `inTurn`: one after the other; else the keys together. */
type Shortcut = { does: string; keys: string[]; inTurn?: true }

const groups: { name: string; shortcuts: Shortcut[] }[] = [
  {
    name: 'Anywhere',
    shortcuts: [
      { does: 'Find anything, run actions', keys: [modKey, 'K'] },
      { does: 'Create a record', keys: ['c'] },
      { does: 'Undo', keys: [modKey, 'Z'] },
      { does: 'Save what you are writing', keys: [modKey, 'Enter'] },
      { does: 'Create and open', keys: [modKey, 'Shift', 'Enter'] },
      { does: 'Show this list', keys: ['?'] },
      { does: 'Close a dialog, menu or panel', keys: ['Esc'] },
    ],
  },
  {
    name: 'In a list',
    shortcuts: [
      { does: 'Filter', keys: ['f'] },
      { does: 'Complete a filter as text', keys: ['Tab'] },
      { does: 'Edit the cell, or open the record', keys: ['Enter'] },
      { does: 'Open the record', keys: [modKey, 'Enter'] },
      { does: 'Select the row', keys: ['Space'] },
      { does: 'Select all', keys: [modKey, 'A'] },
      { does: 'Go to the end', keys: ['End'] },
    ],
  },
  {
    name: 'On a record',
    shortcuts: [
      { does: 'Edit the field', keys: ['Enter'] },
      { does: 'Edit the next field', keys: ['Tab'] },
    ],
  },
  {
    name: 'Go to',
    shortcuts: areas.map(({ label, key }) => ({ does: `Go to ${label}`, keys: ['g', key], inTurn: true as const })),
  },
]

export function Shortcuts({ onClose }: { onClose: () => void }) {
  const [on, setOn] = useShortcutsOn()
  return (
    <Dialog title="Keyboard shortcuts" size={680} tall onClose={onClose}>
      <div className={css.groups}>
        {groups.map(({ name, shortcuts }) => (
          <section key={name} aria-label={name}>
            <h3 className={css.name}>{name}</h3>
            <dl className={css.list}>
              {shortcuts.map(({ does, keys, inTurn }) => (
                <div key={does}>
                  <dt>{does}</dt>
                  <dd>
                    {keys.map((key, index) => (
                      <Fragment key={key}>
                        {index > 0 && (inTurn ? ' then ' : ' ')}
                        <Kbd size="xs">{key}</Kbd>
                      </Fragment>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
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
