import { Kbd, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Fragment, useEffect } from 'react'
import { own } from '../../contract/shared/own.ts'
import { pages } from '../../contract/shared/pages.ts'
import { useShortcutsOn } from '../account/choices.ts'
import { areas, objectKeys } from '../client/areas.ts'
import { openCreate } from '../records/data/open-create.ts'
import { type ObjectShape, schemaQuery, useSchema } from '../records/data/schema.ts'
import { undoLastChange } from '../records/data/undo.ts'
import { modKey } from '../ui/basics/keyboard.ts'
import { setSingleKeys, useKeys } from '../ui/basics/keys.ts'
import { Dialog } from '../ui/form/dialog.tsx'
import { openPalette, openShortcuts } from './overlay.ts'
import css from './shortcuts.module.css'

/** `inTurn`: one after the other; else the keys together. */
type Shortcut = { does: string; keys: string[]; inTurn?: true }

const groups: { name: string; shortcuts: Shortcut[] }[] = [
  {
    name: 'Anywhere',
    shortcuts: [
      { does: 'Search and run actions', keys: [modKey, 'K'] },
      { does: 'Create a record, unless a cell is active', keys: ['c'] },
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
      { does: 'Search the list', keys: ['/'] },
      { does: 'Filter', keys: ['f'] },
      { does: 'Complete a text filter', keys: ['Tab'] },
      { does: 'Edit the cell, or open the record', keys: ['Enter'] },
      { does: 'Replace the value of the cell', keys: ['any letter'] },
      { does: 'Open the record', keys: [modKey, 'Enter'] },
      { does: 'Select the row', keys: ['Space'] },
      { does: 'Select cells', keys: ['Shift', 'arrows'] },
      { does: 'Fill down', keys: [modKey, 'D'] },
      { does: 'Open the cell menu', keys: ['Shift', 'F10'] },
      { does: 'Select all', keys: [modKey, 'A'] },
      { does: 'Go to the end', keys: ['End'] },
    ],
  },
  {
    name: 'In the inbox',
    shortcuts: [
      { does: 'Next or previous conversation', keys: ['j', 'k'] },
      { does: 'Read the conversation', keys: ['Enter'] },
      { does: 'Select the conversation', keys: ['x'] },
      { does: 'Close or reopen', keys: ['e'] },
      { does: 'Snooze', keys: ['s'] },
      { does: 'Assign', keys: ['a'] },
      { does: 'Label', keys: ['l'] },
      { does: 'Reply', keys: ['r'] },
      { does: 'Reply to all', keys: ['Shift', 'r'] },
      { does: 'Forward', keys: ['f'] },
      { does: 'Internal note', keys: ['n'] },
      { does: 'Mark as unread', keys: ['u'] },
      { does: 'Spam', keys: ['!'] },
      { does: 'Merge', keys: ['m'] },
      { does: 'New message', keys: ['Shift', 'c'] },
      { does: 'Search conversations', keys: ['/'] },
      { does: 'Undo', keys: ['z'] },
    ],
  },
  {
    name: 'On duplicates',
    shortcuts: [
      { does: 'Next or previous group', keys: ['↓', '↑'] },
      { does: 'Merge the group', keys: ['Enter'] },
      { does: 'Not duplicates', keys: ['n'] },
      { does: 'Choose a value', keys: ['←', '→'] },
    ],
  },
  {
    name: 'On a record',
    shortcuts: [
      { does: 'Edit the field', keys: ['Enter'] },
      { does: 'Save and go to the next field', keys: ['Tab'] },
    ],
  },
]

type Place = { label: string; key: string; to: string; object?: string }

/** Where `g` and a letter lead: the objects that people use most, and the areas. */
function placesAmong(objects: ObjectShape[]): Place[] {
  const keyed = objects.flatMap(({ key: object, built_in_key = object, label_plural: label, rights }) => {
    const key = own(objectKeys, built_in_key)
    return key && rights.read !== 'none' ? [{ label, key, to: '/records/$object', object }] : []
  })
  return [...keyed, ...areas.map(({ label, key, to }) => ({ label, key, to }))]
}

/** What can be done on this page is read first. */
const isHere = (group: string) =>
  (group === 'In the inbox' && location.pathname.startsWith(pages.inbox)) ||
  (group === 'On duplicates' && location.pathname.startsWith('/duplicates/'))

export function Shortcuts({ onClose }: { onClose: () => void }) {
  const [on, setOn] = useShortcutsOn()
  const places = placesAmong(useSchema())
  const goTo = {
    name: 'Go to',
    shortcuts: places.map(({ label, key }): Shortcut => ({ does: `Go to ${label}`, keys: ['g', key], inTurn: true })),
  }
  return (
    <Dialog title="Keyboard shortcuts" size={680} tall onClose={onClose}>
      <div className={css.groups}>
        {[...groups.toSorted((a, b) => Number(isHere(b.name)) - Number(isHere(a.name))), goTo].map(
          ({ name, shortcuts }) => (
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
          ),
        )}
      </div>
      <Switch
        mt="md"
        label="Single-key shortcuts"
        description="Turn these off if they conflict with your other tools. This list is always in your account menu."
        checked={on}
        onChange={(event) => setOn(event.currentTarget.checked)}
      />
    </Dialog>
  )
}

const none: ObjectShape[] = []

/** `g` then a letter goes to an object or an area, `c` creates, `?` opens the list. */
export function useShortcutKeys() {
  const [on] = useShortcutsOn()
  const navigate = useNavigate()
  const { data: objects = none } = useQuery(schemaQuery)
  useEffect(() => setSingleKeys(on), [on])
  const places = placesAmong(objects).map(({ key, to, object }) => [
    `g ${key}`,
    () => (object ? navigate({ to: '/records/$object', params: { object } }) : navigate({ to })),
  ])
  useKeys(
    {
      ...Object.fromEntries(places),
      '?': openShortcuts,
      c: () => openCreate(),
      'Mod+k': openPalette,
      'Mod+z': undoLastChange,
    },
    { inFields: ['Mod+k'] },
  )
}
