import { notifications } from '@mantine/notifications'
import { reasonOf } from './form-errors.ts'

const closeButtonProps = { 'aria-label': 'Dismiss' }

export const say = (message: string) =>
  notifications.show({ message, autoClose: 4000, color: 'pine', closeButtonProps })

export const complain = (title: string, error: unknown) =>
  notifications.show({ title, message: reasonOf(error), color: 'red', autoClose: 10_000, closeButtonProps })
