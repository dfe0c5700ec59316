import { deceptive } from '../../contract/shapes.ts'

const longest = 200
const invisible = new RegExp(deceptive, 'gu')

/** A file name that no file system or dialog takes for anything else: no path, no control characters, not too long. */
export function safeName(given: string) {
  const last = given.normalize('NFC').split(/[/\\]/).at(-1)!
  const plain = last.replace(invisible, '').replace(/[<>:"|?*]/g, '_')
  const name = plain.replace(/^[\s.]+|[\s.]+$/g, '')
  if (!name) return 'file'
  return isReserved(name) ? `_${name}` : shortened(name)
}

/** Windows opens a device under these names, whatever their ending. */
const isReserved = (name: string) => /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(name)

/** The ending stays, for it tells programs what to do with the file. */
function shortened(name: string) {
  const characters = [...name]
  if (characters.length <= longest) return name
  const ending = /\.[^.]{1,10}$/.exec(name)?.[0] ?? ''
  return characters.slice(0, longest - [...ending].length).join('') + ending
}
