import { deceptive } from '../../contract/shapes.ts'

const longest = 200
const invisible = new RegExp(deceptive, 'gu')

/** A name that is safe on every file system and in every dialog: no path, no control characters, not too long. */
export function safeName(given: string) {
  const last = given.normalize('NFC').split(/[/\\]/).at(-1)!
  const plain = last.replace(invisible, '').replace(/[<>:"|?*]/g, '_')
  const name = plain.replace(/^[\s.]+|[\s.]+$/g, '')
  if (!name) return 'file'
  return isReserved(name) ? `_${name}` : shortened(name)
}

/** Device names on Windows, with any extension. */
const isReserved = (name: string) => /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(name)

/** Keeps the extension, which decides the program that opens the file. */
function shortened(name: string) {
  const characters = [...name]
  if (characters.length <= longest) return name
  const ending = /\.[^.]{1,10}$/.exec(name)?.[0] ?? ''
  return characters.slice(0, longest - [...ending].length).join('') + ending
}
