import { getDefaultZIndex } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import css from './notices.module.css'

/** Over a dialog, but not over a list that somebody chooses from. */
const layer = getDefaultZIndex('modal') + 50

export const Notices = () => (
  <Notifications position="bottom-right" limit={3} zIndex={layer} className={css.notices ?? ''} />
)
