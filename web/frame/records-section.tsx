import { Menu } from '@mantine/core'
import { Link, useNavigate, useRouterState } from '@tanstack/react-router'
import { Ellipsis, ListTree, SlidersHorizontal } from 'lucide-react'
import { useRef, useState } from 'react'
import { companySections, recordsArea } from '../client/areas.ts'
import { useSignedIn } from '../client/session.ts'
import type { ObjectShape } from '../records/data/schema.ts'
import { ObjectIcon } from '../records/fields/object-icon.tsx'
import { lastList, type View } from '../records/lists/list-search.ts'
import { useShownObjects, useUpdateNavigation } from '../records/lists/navigation.ts'
import { IconButton } from '../ui/basics/icon-button.tsx'
import { moved, type Side, useReorder } from '../ui/form/reorder.tsx'
import { Customize } from './customize.tsx'
import css from './sidebar.module.css'

/** Every object that the user may read and has not hidden, with the pinned views below it. */
export function RecordsSection() {
  const shown = useShownObjects()
  const update = useUpdateNavigation()
  const drop = (key: string, side: Side, at: number) => {
    const keys = shown.map(({ object }) => object.key)
    const from = keys.indexOf(key)
    const before = side === 'before' ? at : at + 1
    if (from >= 0) update({ objects: moved(keys, from, before > from ? before - 1 : before) })
  }
  return (
    <section aria-label={recordsArea.label} className={css.records}>
      <div className={css.heading}>
        <Link to={recordsArea.to} activeOptions={{ exact: true }}>
          {recordsArea.label}
        </Link>
        <RecordsMenu />
      </div>
      <ul aria-label="Objects" className={css.list}>
        {shown.map(({ object, views }, index) => (
          <ObjectEntry key={object.key} of={object} views={views} onDrop={(key, side) => drop(key, side, index)} />
        ))}
      </ul>
    </section>
  )
}

function RecordsMenu() {
  const { may } = useSignedIn()
  const navigate = useNavigate()
  const button = useRef<HTMLButtonElement>(null)
  const [isCustomizing, setCustomizing] = useState(false)
  return (
    <>
      <Menu position="bottom-start" width={200}>
        <Menu.Target>
          <IconButton icon={Ellipsis} label="Sidebar options" size={26} ref={button} />
        </Menu.Target>
        <Menu.Dropdown aria-label="Sidebar options">
          <Menu.Item
            leftSection={<SlidersHorizontal size={14} />}
            onClick={() => {
              button.current?.focus()
              setCustomizing(true)
            }}
          >
            Customize sidebar
          </Menu.Item>
          {may('objects.manage') && (
            <Menu.Item
              leftSection={<ListTree size={14} />}
              onClick={() => navigate({ to: companySections.objects.to })}
            >
              Objects and fields
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {isCustomizing && <Customize onClose={() => setCustomizing(false)} />}
    </>
  )
}

type EntryProps = { of: ObjectShape; views: View[]; onDrop: (key: string, side: Side) => void }

function ObjectEntry({ of: object, views, onDrop }: EntryProps) {
  const row = useRef<HTMLLIElement>(null)
  const place = useReorder(row, { kind: 'sidebar objects', key: object.key, onDrop })
  const open = useRouterState({ select: ({ location }) => (location.search as { view?: string }).view })
  const isPinnedOpen = views.some(({ id }) => id === open)
  return (
    <li ref={row} {...place}>
      {/* The link itself would be dragged as an address. */}
      <Link
        to="/records/$object"
        params={{ object: object.key }}
        search={() => lastList(object.key)}
        activeOptions={{ includeSearch: false }}
        className={css.link}
        draggable={false}
        {...(isPinnedOpen && { activeProps: { 'aria-current': undefined } })}
      >
        <ObjectIcon of={object} />
        <span dir="auto">{object.label_plural}</span>
      </Link>
      {views.length > 0 && (
        <ul aria-label={`Pinned views of ${object.label_plural}`} className={css.views}>
          {views.map(({ id, name }) => (
            <li key={id}>
              <Link
                to="/records/$object"
                params={{ object: object.key }}
                search={{ view: id }}
                activeProps={{}}
                aria-current={id === open ? 'page' : undefined}
                className={css.view}
                draggable={false}
                dir="auto"
              >
                {name}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
