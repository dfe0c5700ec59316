import { Button } from '@mantine/core'
import { type NotificationData, notifications } from '@mantine/notifications'
import { type RefObject, useEffect } from 'react'
import type { FieldError } from '../../../contract/shared/errors.ts'
import { holderOf, reasonOf } from './errors.ts'
import css from './notices.module.css'

export const notify = (notice: NotificationData) =>
  notifications.show({ closeButtonProps: { 'aria-label': 'Dismiss' }, ...notice })

export const say = (message: string) => notify({ message, autoClose: 4000, color: 'pine' })

export function complain(title: string, error: unknown) {
  const holder = holderOf(error)
  const message = (
    <>
      {reasonOf(error)}
      {holder && (
        <>
          . <HeldBy of={holder} />
        </>
      )}
    </>
  )
  notify({ title, message, color: 'red', autoClose: 10_000 })
}

/** The way to the record that has the value already. In a tab of its own: what was typed here stays. */
export const HeldBy = ({ of: { object, id, title } }: { of: NonNullable<FieldError['record']> }) => (
  <a href={`/records/${object}/${id}`} target="_blank" rel="noreferrer">
    Open <bdi>{title}</bdi>
  </a>
)

/** What was done, with a way back. */
export const UndoMessage = ({ text, undo }: { text: string; undo: () => void }) => (
  <span className={css.undoable}>
    <span>{text}</span>
    <Button variant="default" size="compact-sm" onClick={undo}>
      Undo
    </Button>
  </span>
)

/** Notices stand above what sticks to the lower edge of a page, so that they never cover its buttons. */
export function useNoticesAbove(foot: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const box = foot.current
    if (!box) return
    const { style } = document.documentElement
    const measure = () =>
      style.setProperty('--below-messages', `calc(${Math.round(box.offsetHeight)}px + var(--bottom-bar))`)
    const observer = new ResizeObserver(measure)
    observer.observe(box)
    return () => {
      observer.disconnect()
      style.removeProperty('--below-messages')
    }
  }, [foot])
}
