import { Notifications } from '@mantine/notifications'
import css from './notices.module.css'

export default function Notices() {
  return <Notifications position="bottom-right" limit={3} className={css.notices ?? ''} />
}
