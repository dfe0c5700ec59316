import { UnstyledButton } from '@mantine/core'
import { ChevronsUpDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { useSignedIn } from '../client/session.ts'
import { Initials } from '../ui/initials.tsx'
import css from './user-menu.module.css'

export function UserButton(props: ComponentProps<'button'>) {
  const { me } = useSignedIn()
  return (
    <UnstyledButton {...props} className={css.button} aria-label={`${me.name}, your account`} aria-haspopup="menu">
      <Initials name={me.name} pictureId={me.picture_id} />
      <span className={css.who}>
        <span dir="auto">{me.name}</span>
        <small>{me.role}</small>
      </span>
      <ChevronsUpDown size={14} aria-hidden="true" />
    </UnstyledButton>
  )
}
