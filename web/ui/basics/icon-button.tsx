import { ActionIcon, type ActionIconProps } from '@mantine/core'
import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'

type Props = Omit<ComponentProps<'button'>, keyof ActionIconProps | 'children' | 'aria-label' | 'title'> &
  Omit<ActionIconProps, 'size' | 'children'> & {
    icon: LucideIcon
    label: string
    /** In pixels. */
    size?: number
    /** False: a tooltip around it says it. */
    title?: string | false
  }

/** A button that is only an icon. Its label is heard, and shown to those who point at it. */
export const IconButton = ({ icon: Icon, label, size = 30, title = label, ...rest }: Props) => (
  <ActionIcon variant="subtle" color="gray" size={size} aria-label={label} title={title || undefined} {...rest}>
    <Icon size={size < 26 ? 13 : size < 32 ? 15 : size < 40 ? 16 : size / 2 - 2} />
  </ActionIcon>
)
