// Apart from the other links: pages for people who are not signed in have no menus.
import { Menu, type MenuItemProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { As } from './links.tsx'

export const ItemLink = createLink((props: As<MenuItemProps>) => <Menu.Item component="a" {...props} />)
