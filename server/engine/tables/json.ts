// JSON lines, or a list of objects. Keys of objects inside of others become columns such as address.city.
import { mostColumns, mostRows } from '../../../contract/shared/limits.ts'
import { decodeText } from './decode-text.ts'
import { collectRows, refuse, type Table, type TableCell, UnreadableTable } from './table.ts'

const deepest = 4
/** With their digits: a number that JavaScript would round stays text. */
type Flat = Map<string, TableCell>
type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

export function readJsonTable(content: Uint8Array): Table {
  const text = decodeText(content)
  // Read twice, so that no more than the columns must be kept.
  const columns = new Map<string, number>()
  for (const { flat } of objectsIn(text))
    for (const name of flat.keys())
      if (!columns.has(name)) {
        if (columns.size >= mostColumns) refuse(`Its objects have more than ${mostColumns} different keys`)
        columns.set(name, columns.size)
      }
  if (!columns.size) refuse('It has no objects')
  const rows = collectRows()
  rows.add({ line: 1, cells: [...columns.keys()] })
  let count = 0
  for (const { line, flat } of objectsIn(text)) {
    if (++count > mostRows)
      refuse(`It has more than ${mostRows.toLocaleString('en')} objects. Split it into several files`)
    const cells: TableCell[] = new Array(columns.size).fill(null)
    for (const [name, value] of flat) cells[columns.get(name)!] = value
    rows.add({ line, cells })
  }
  return { rows: rows.bytes(), sheets: [], sheet: null }
}

/** `line`: in a list, which object it is. */
function* objectsIn(text: string): Generator<{ line: number; flat: Flat }> {
  if (text.trimStart().startsWith('[')) {
    const list = parse(text, 'It is not valid JSON')
    for (const [i, value] of (list as unknown[]).entries())
      yield { line: i + 1, flat: flatten(value, `Object ${i + 1}`) }
    return
  }
  let line = 0
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at)
    const one = text.slice(at, end < 0 ? text.length : end).trim()
    at = end < 0 ? text.length : end + 1
    line++
    if (one) yield { line, flat: flatten(parse(one, `Line ${line} is not a JSON object`), `Line ${line}`) }
  }
}

function parse(text: string, problem: string): unknown {
  try {
    return JSON.parse(text, exactly as never)
  } catch {
    return refuse(problem)
  }
}

const exactly = (_key: string, value: unknown, { source }: { source?: string }) =>
  typeof value === 'number' && (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) ? source : value

function flatten(value: unknown, where: string): Flat {
  if (!isObject(value)) return refuse(`${where} is not a JSON object`)
  const flat: Flat = new Map()
  add(value, '', 1)
  return flat

  function add(object: Json, prefix: string, depth: number) {
    for (const [key, inner] of Object.entries(object)) {
      const name = prefix + key
      if (isObject(inner)) {
        if (depth >= deepest) refuse(`${where} has objects in objects more than ${deepest} deep`)
        add(inner, `${name}.`, depth + 1)
      } else flat.set(name, cellOf(inner, where))
    }
  }
}

function cellOf(value: unknown, where: string): TableCell {
  if (!Array.isArray(value)) return value as TableCell
  if (value.some((item) => typeof item === 'object' && item !== null))
    throw new UnreadableTable(`${where} has a list of objects. Import those from another file`)
  const items = value.filter((item) => item !== null && item !== '')
  return items.length ? JSON.stringify(items.map(String)) : null
}
