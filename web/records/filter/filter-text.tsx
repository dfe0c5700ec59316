import { queryOptions } from '@tanstack/react-query'
import { type CheckedFilter, type Fault, namedIn, parser } from '../../../contract/filter/index.ts'
import { isId } from '../../../contract/shared/ids.ts'
import { api } from '../../client/api.ts'
import css from './filter-text.module.css'
import { wordsOf } from './values/words.ts'

/** A filter to read, in the colours of the box. */
export function FilterText({ text }: { text: string }) {
  const parts: React.ReactNode[] = []
  let done = 0
  for (const { from, to, kind } of wordsOf(parser.parse(text), text)) {
    parts.push(text.slice(done, from))
    parts.push(
      <span key={from} className={css[kind]}>
        {text.slice(from, to)}
      </span>,
    )
    done = to
  }
  parts.push(text.slice(done))
  return <code className={css.filter}>{parts}</code>
}

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

// A filter with users and records by name, for the text box. Chips and addresses keep their ids.

export const hasIds = ({ checked }: CheckedFilter) => namedIn(checked).some(({ text }) => isId(text))

/** Without an answer the ids stay. */
export const namedTextQuery = (object: string, text: string) =>
  queryOptions({
    queryKey: ['records', 'named-filter', object, text],
    queryFn: () =>
      api.validateFilter({ object, filter: text }).then(
        ({ named }) => named ?? text,
        () => text,
      ),
    staleTime: 60_000,
  })
