import css from './entry.module.css'
import { Entry } from './entry.tsx'

/** Nobody has set Kith up, and this visitor comes from another computer than the server's. */
export const ClosedSetUp = () => (
  <Entry title="Kith is not set up yet" lead="From another computer, set-up needs the one-time link of this server.">
    <ol className={css.steps}>
      <li>
        Look at the terminal of the server, where <code>npm start</code> runs.
      </li>
      <li>Open the one-time link that it printed there, in this browser.</li>
      <li>Or open Kith in a browser on the server itself.</li>
    </ol>
  </Entry>
)
