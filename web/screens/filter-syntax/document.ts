// The document that also agents read: what this page says of the language is said there.
import text from '../../../docs/filter-syntax.md?raw'
import { sectionsOf } from './markdown.ts'

const [lead, ...others] = sectionsOf(text)

/** The table of operators is left out: this page makes it from the language itself. */
export const sections = others.filter(({ title }) => title !== 'Operators by type')

export const exampleLines = lead!.blocks.flatMap((block) => (block.kind === 'code' ? block.text.split('\n') : []))
