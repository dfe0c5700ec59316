import { Mark } from './logo.tsx'
import css from './splash.module.css'

/** Before anything is known about the visitor. */
export const Splash = () => (
  <div className={css.splash} role="status" aria-label="Loading Kith">
    <Mark size={32} />
  </div>
)
