// What surrounds a page on narrow screens: a bar above, a bar below, and the sidebar as a sheet.

import { Drawer, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, useLocation } from '@tanstack/react-router'
import { Menu as MenuIcon, Search } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { pages } from '../../contract/shared/pages.ts'
import { areasAbove } from '../client/areas.ts'
import { isBuiltIn } from '../records/data/built-in.ts'
import type { ObjectShape } from '../records/data/schema.ts'
import { ObjectIcon } from '../records/fields/object-icon.tsx'
import { useNavigation, useShownObjects } from '../records/lists/navigation.ts'
import { IconButton } from '../ui/basics/icon-button.tsx'
import { Bell } from './notifications.tsx'
import { openPalette } from './overlay.ts'
import css from './phone-bars.module.css'
import { CompanyName, CreateButton, Navigation, Unread } from './sidebar.tsx'
import { UserMenu } from './user-menu.tsx'

export const TopBar = ({ jobs }: { jobs: ReactNode }) => (
  <section className={css.top} aria-label="Top bar">
    <Link to={pages.dashboard} className={css.home}>
      <CompanyName />
      <VisuallyHidden>Dashboard</VisuallyHidden>
    </Link>
    <div className={css.end}>
      {jobs}
      <IconButton icon={Search} label="Search" size={44} aria-haspopup="dialog" onClick={openPalette} />
      <CreateButton size={44} />
      <Bell />
    </div>
  </section>
)

/** On phones, Tasks opens My tasks, which links to all tasks. */
const isTasks = (object: ObjectShape) => isBuiltIn(object, 'tasks')

const usual = ['deals', 'people', 'tasks']

/** The objects that people need on the way; if one is hidden, the next of the sidebar takes its place. */
function useNearObjects() {
  const objects = useShownObjects().map(({ object }) => object)
  const first = objects.filter((object) => isBuiltIn(object, ...usual))
  const others = objects.filter((object) => !first.includes(object))
  return [...first, ...others].slice(0, usual.length)
}

/** The inbox: on the way one answers. The dashboard, to which the bar above leads too, only without it. */
function useNearArea() {
  const { hidden } = useNavigation()
  return ['inbox', 'dashboard'].flatMap(
    (id) => areasAbove.find((area) => area.id === id && !hidden.includes(id)) ?? [],
  )[0]
}

export function BottomBar() {
  const objects = useNearObjects()
  const area = useNearArea()
  return (
    <nav aria-label="Quick navigation" className={css.bottom}>
      {area && (
        <Link to={area.to} activeOptions={{ includeSearch: false }} className={css.entry}>
          <area.icon size={20} strokeWidth={1.75} />
          <span>{area.label}</span>
          {area.id === 'inbox' && <Unread />}
        </Link>
      )}
      {objects.map((object) => (
        <Link
          key={object.key}
          {...(isTasks(object) ? { to: pages.myTasks } : { to: '/records/$object', params: { object: object.key } })}
          activeOptions={{ includeSearch: false }}
          className={css.entry}
        >
          <ObjectIcon of={object} size={20} />
          <span dir="auto">{object.label_plural}</span>
        </Link>
      ))}
      <More />
    </nav>
  )
}

function More() {
  const [opened, sheet] = useDisclosure()
  const { href } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: arriving at another page is what closes it
  useEffect(sheet.close, [href])
  return (
    <>
      <UnstyledButton className={css.entry} aria-haspopup="dialog" aria-expanded={opened} onClick={sheet.open}>
        <MenuIcon size={20} strokeWidth={1.75} />
        <span>More</span>
      </UnstyledButton>
      <Drawer
        opened={opened}
        onClose={sheet.close}
        title="Menu"
        position="bottom"
        size="88dvh"
        classNames={{ body: css.body, content: css.content, header: css.header }}
        closeButtonProps={{ 'aria-label': 'Close menu', size: 44 }}
      >
        <Navigation />
        <div className={css.foot}>
          <UserMenu />
        </div>
      </Drawer>
    </>
  )
}
