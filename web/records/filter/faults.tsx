import type { Fault } from '../../../contract/filter/index.ts'
import css from './faults.module.css'

type Props = { id: string; faults: Fault[]; onPick: (fault: Fault, name: string) => void }

const mostShown = 3

/** What is wrong, in words, with the names that may have been meant. */
export const Faults = ({ id, faults, onPick }: Props) => (
  <div id={id} className={css.faults} role="status">
    {faults.slice(0, mostShown).map((fault) => (
      <p key={`${fault.at?.offset} ${fault.message}`}>
        {fault.at ? (fault.problem ?? fault.message) : fault.message}
        {fault.nearest.length > 0 && fault.at && (
          <span className={css.nearest}>
            Did you mean
            {fault.nearest.map((name) => (
              <button key={name} type="button" onClick={() => onPick(fault, name)}>
                {name}
              </button>
            ))}
          </span>
        )}
      </p>
    ))}
    {faults.length > mostShown && <p>And {faults.length - mostShown} more.</p>}
  </div>
)
