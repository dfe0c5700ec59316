import { ActionIcon, Drawer } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useLocation } from '@tanstack/react-router'
import { Menu as MenuIcon } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { Bell } from './notifications.tsx'
import { CompanyName, FindAndCreateIcons, Navigation } from './sidebar.tsx'
import css from './top-bar.module.css'
import { UserMenu } from './user-menu.tsx'

/** On narrow screens: the navigation waits in a drawer. */
export function TopBar({ jobs }: { jobs: ReactNode }) {
  const [opened, drawer] = useDisclosure()
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: arriving at another page is what closes it
  useEffect(drawer.close, [pathname])
  return (
    <section className={css.bar} aria-label="Top bar">
      <ActionIcon
        variant="subtle"
        color="gray"
        size={40}
        aria-label="Open menu"
        aria-expanded={opened}
        onClick={drawer.open}
      >
        <MenuIcon size={20} aria-hidden="true" />
      </ActionIcon>
      <CompanyName />
      <div className={css.end}>
        {jobs}
        <FindAndCreateIcons />
        <Bell />
      </div>
      <Drawer
        opened={opened}
        onClose={drawer.close}
        title="Menu"
        size={300}
        classNames={{ body: css.body, content: css.content, header: css.header }}
        closeButtonProps={{ 'aria-label': 'Close menu', size: 36 }}
      >
        <Navigation />
        <div className={css.foot}>
          <UserMenu />
        </div>
      </Drawer>
    </section>
  )
}
