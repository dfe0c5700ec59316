import { Menu, UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Activity, ChevronsUpDown, CircleUserRound, Keyboard, LogOut } from 'lucide-react'
import type { ComponentProps } from 'react'
import { pages } from '../../contract/shared/pages.ts'
import { themeChoices, useThemeChoice } from '../account/choices.ts'
import { useSignedIn, useSignOut } from '../client/session.ts'
import { Initials } from '../ui/basics/avatar.tsx'
import { complain } from '../ui/basics/notices.tsx'
import type { Theme } from '../ui/theme/theme.ts'
import { openShortcuts } from './overlay.ts'
import css from './user-menu.module.css'

export function UserMenu() {
  const { me, may } = useSignedIn()
  const { theme, choose } = useThemeChoice()
  const signOut = useSignOut()
  return (
    <Menu position="top-start" width={236} withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <UserButton />
      </Menu.Target>
      <Menu.Dropdown aria-label="Your account">
        <div className={css.about}>
          <strong dir="auto">{me.name}</strong>
          <span>{me.email}</span>
          <span>{me.role}</span>
        </div>
        <Menu.Divider />
        <Menu.Item component={Link} to={pages.profile} leftSection={<CircleUserRound size={15} />}>
          Profile
        </Menu.Item>
        <Menu.Item visibleFrom="sm" leftSection={<Keyboard size={15} />} onClick={openShortcuts}>
          Keyboard shortcuts
        </Menu.Item>
        {may('requests.read') && (
          <Menu.Item component={Link} to={pages.requestInspector} leftSection={<Activity size={15} />}>
            Request inspector
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Label>Theme</Menu.Label>
        <Menu.RadioGroup value={theme} onChange={(value) => choose(value as Theme)}>
          {themeChoices.map(({ value, label }) => (
            <Menu.RadioItem key={value} value={value} closeMenuOnClick={false}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item
          leftSection={<LogOut size={15} />}
          closeMenuOnClick={false}
          onClick={() => signOut.mutate(undefined, { onError: (error) => complain('You are still signed in', error) })}
        >
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function UserButton(props: ComponentProps<'button'>) {
  const { me } = useSignedIn()
  return (
    <UnstyledButton {...props} className={css.button} aria-label={`${me.name}, your account`} aria-haspopup="menu">
      <Initials name={me.name} pictureId={me.picture_id} />
      <span className={css.who}>
        <span dir="auto">{me.name}</span>
        <small>{me.role}</small>
      </span>
      <ChevronsUpDown size={14} />
    </UnstyledButton>
  )
}
