import { Button } from '@mantine/core'
import { pages } from '../../contract/pages.ts'
import css from './banner.module.css'

/** Stands above a page with unsaved input after the session ended; it goes by itself once one has signed in again. */
export const SessionEnded = () => (
  <div className={css.banner} role="alert">
    <span>Your session has ended. Sign in again in a new tab and come back: what you typed stays here.</span>
    <Button component="a" href={pages.signIn} target="_blank" size="xs" variant="default">
      Sign in
    </Button>
  </div>
)
