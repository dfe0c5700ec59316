import { notifications } from '@mantine/notifications'
import { holderOf, reasonOf } from './form-errors.ts'
import { HeldBy } from '../records/held-by.tsx'

const closeButtonProps = { 'aria-label': 'Dismiss' }

export const say = (message: string) =>
  notifications.show({ message, autoClose: 4000, color: 'pine', closeButtonProps })

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
  notifications.show({ title, message, color: 'red', autoClose: 10_000, closeButtonProps })
}
