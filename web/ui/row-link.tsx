import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import css from './row-link.module.css'

/** The name of a row of a table; the whole row leads where it leads. */
export const RowLink = createLink(({ children, ...rest }: ComponentProps<'a'>) => (
  <a {...rest} className={css.link}>
    <bdi>{children}</bdi>
  </a>
))
