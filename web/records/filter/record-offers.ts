// Offers records by their title where a relation is compared: the language knows the field, the server the records.

import { hasFaults, readFilter, referencesIn, type Scope } from '../../../contract/filter/index.ts'
import { quote, unquote } from '../../../contract/filter/strings.ts'
import { own } from '../../../contract/own.ts'
import { findTitled } from './find-titled.ts'

const mark = 'whoever is being typed'

/** The objects whose records fit after this beginning of a filter; nothing where no record belongs. */
function objectsAfter(before: string, scope: Scope) {
  const bare = before.replace(/"(?:[^"\\]|\\[\s\S])*"|`[^`]*`/g, '')
  const open = bare.split('(').length - bare.split(')').length
  const read = readFilter(before + quote(mark) + ')'.repeat(Math.max(0, open)), scope)
  if (hasFaults(read)) return undefined
  return referencesIn(read.checked).find(({ kind, text }) => kind === 'record' && text === mark)?.objects
}

export async function recordOffers(text: string, cursor: number, scope: Scope) {
  const typed = /"(?:[^"\\]|\\[\s\S])*$|[^\s()"',=<>!~]*$/.exec(text.slice(0, cursor))![0]
  const from = cursor - typed.length
  const objects = typed && objectsAfter(text.slice(0, from), scope)
  if (!objects) return null
  const words = typed.startsWith('"') ? unquote(`${typed}"`) : typed
  const found = words.trim() ? await findTitled(objects, words.trim(), 10) : []
  const isAlone = (title: string) => found.filter((one) => one.title === title).length === 1
  const options = found.map(({ id, title, object }) => ({
    label: title,
    detail: own(scope.objects, object)?.label ?? object,
    apply: isAlone(title) ? quote(title) : id,
  }))
  return options.length ? { from, options, filter: false } : null
}
