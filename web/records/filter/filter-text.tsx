import { parser } from '../../../contract/filter/index.ts'
import css from './filter-text.module.css'
import { wordsOf } from './word-kinds.ts'

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
