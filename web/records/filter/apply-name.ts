import { type Fault, parser } from '../../../contract/filter/index.ts'
import { printPath } from '../../../contract/filter/path.ts'
import { quote } from '../../../contract/filter/strings.ts'
import { isWord } from '../../../contract/filter/words.ts'

/** The change that puts a nearest name in place of what was found, written as it must be there. */
export function replacing(text: string, { at }: Fault, name: string) {
  const { offset, length } = at ?? { offset: text.length, length: 0 }
  const node = parser.parse(text).resolveInner(offset, 1).name
  const isName = node === 'Name' || node === 'QuotedName'
  const isValue = node === 'Bare' || node === 'String'
  const insert = isName ? printPath(`\`${name}\``) : isValue && !isWord(name) ? quote(name) : name
  return { from: offset, to: offset + length, insert }
}
