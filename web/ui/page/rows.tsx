import { Menu } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import { Ellipsis, type LucideIcon } from 'lucide-react'
import { type ComponentProps, type ReactNode, useRef } from 'react'
import { IconButton } from '../basics/icon-button.tsx'
import { Panel } from '../basics/layout.tsx'
import css from './rows.module.css'

export const Rows = ({ label, children }: { label: string; children: ReactNode }) => (
  <Panel as="ul" divided aria-label={label}>
    {children}
  </Panel>
)

type Props = { icon?: LucideIcon; title: ReactNode; note?: ReactNode; children?: ReactNode }

/** One thing in a short list: what it is, small print, and at its end what can be done with it. */
export const RowOf = ({ icon: Icon, title, note, children }: Props) => (
  <li className={css.row}>
    {Icon && <Icon size={18} strokeWidth={1.75} className={css.icon} />}
    <div className={css.text}>
      <div className={css.title}>{title}</div>
      {note && <div className={css.note}>{note}</div>}
    </div>
    {children && <div className={css.end}>{children}</div>}
  </li>
)

/** The name of a row of a table; the whole row leads where it leads. */
export const RowLink = createLink(({ children, ...rest }: ComponentProps<'a'>) => (
  <a {...rest} className={css.link}>
    <bdi>{children}</bdi>
  </a>
))

export type Action = { label: string; icon: LucideIcon; open: () => void }

/** What can be done with one thing of a list, each in a dialog of its own. */
export function RowMenu({ of: name, actions }: { of: string; actions: Action[] }) {
  const button = useRef<HTMLButtonElement>(null)
  return (
    <Menu position="bottom-end" width={190} returnFocus={false}>
      <Menu.Target>
        <IconButton icon={Ellipsis} label={`Actions for ${name}`} ref={button} />
      </Menu.Target>
      <Menu.Dropdown aria-label={`Actions for ${name}`}>
        {actions.map(({ label, icon: Icon, open }) => (
          <Menu.Item
            key={label}
            leftSection={<Icon size={14} />}
            onClick={() => {
              // The item goes away with the menu; a dialog that closes leads back to the button.
              button.current?.focus()
              open()
            }}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
