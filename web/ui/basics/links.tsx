// Links that look like something else, with addresses that are checked.
import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

export type As<Props> = Props & Omit<ComponentProps<'a'>, keyof Props>

export const ButtonLink = createLink((props: As<ButtonProps>) => <Button component="a" {...props} />)
export const AnchorLink = createLink((props: As<AnchorProps>) => <Anchor {...props} />)
