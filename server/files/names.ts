import { deceptive } from '../../contract/shared/shapes.ts'

const longest = 200
/** Of a longer name, only the beginning and the end are looked at, which is where its extension is. */
const mostRead = 1000
const invisible = new RegExp(deceptive, 'gu')

/** A name that is safe on every file system and in every dialog: no path, no control characters, not too long. */
export function safeName(given: string) {
  const last = bounded(given).normalize('NFC').split(/[/\\]/).at(-1)!
  const plain = last.replace(invisible, '').replace(/[<>:"|?*]/g, '_')
  const name = trimmed(plain)
  if (!name) return 'file'
  return isReserved(name) ? `_${name}` : shortened(name)
}

function bounded(name: string) {
  if (name.length <= 2 * mostRead) return name
  return `${name.slice(0, mostRead)}${name.slice(-mostRead)}`.toWellFormed()
}

/** Without spaces and dots at both ends. By index, because an expression takes quadratic time for many dots. */
function trimmed(name: string) {
  let [from, to] = [0, name.length]
  while (from < to && isEdge(name[from]!)) from++
  while (to > from && isEdge(name[to - 1]!)) to--
  return name.slice(from, to)
}

const isEdge = (character: string) => character === '.' || /\s/.test(character)

/** Device names on Windows, with any extension. */
const isReserved = (name: string) => /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(name)

/** Keeps the extension, which decides the program that opens the file. */
function shortened(name: string) {
  const characters = [...name]
  if (characters.length <= longest) return name
  const ending = /\.[^.]{1,10}$/.exec(name)?.[0] ?? ''
  return characters.slice(0, longest - [...ending].length).join('') + ending
}
