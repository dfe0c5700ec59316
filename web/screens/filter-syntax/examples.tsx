import { useMemo } from 'react'
import { explain, type FilterObjects, hasFaults, readFilter } from '../../../contract/filter/index.ts'
import { quote } from '../../../contract/filter/strings.ts'
import type { ObjectShape } from '../../records/data/schema.ts'
import { filterObjects } from '../../records/filter/tree.ts'
import { exampleLines } from './document.ts'
import css from './reference.module.css'
import { type Sampled, sampleOf, useSampled } from './samples.ts'
import { TryButton } from './try-out.tsx'

type Props = { schema: ObjectShape[]; object: ObjectShape }

/** The examples of the document that match the company's objects, and more for the fields of the chosen one. */
export function Examples({ schema, object }: Props) {
  const objects = filterObjects(schema)
  const sampled = useSampled(object.key)
  const organizations = useSampled('organizations', 'organizations' in objects)
  const said = useMemo(() => fromDocument(objects, organizations), [objects, organizations])
  const own = useMemo(() => fromFields(objects, object.key, sampled), [objects, object, sampled])
  const labels = new Map(schema.map(({ key, label_plural }) => [key, label_plural]))
  return (
    <ul className={css.examples}>
      {[...said, ...own].map(({ root, text, words }) => (
        <li key={`${root} ${text}`}>
          <TryButton object={root} text={text} />
          <p dir="auto">
            <span>{labels.get(root)}</span> {words}
          </p>
        </li>
      ))}
    </ul>
  )
}

type Example = { root: string; text: string; words: string }

/** With a country that organizations of the company have, so that something is found. */
function fromDocument(objects: FilterObjects, organizations: Sampled): Example[] {
  const country = organizations.map((one) => one.country).find((held) => typeof held === 'string' && held !== '')
  const lines = country ? exampleLines.map((line) => line.replace('"DE"', () => quote(String(country)))) : exampleLines
  return lines.flatMap((text) => fitting(text, objects) ?? [])
}

/** The first object that takes this filter. */
export function fitting(text: string, objects: FilterObjects, roots = Object.keys(objects)): Example | undefined {
  for (const root of roots) {
    const read = readFilter(text, { objects, root })
    if (!hasFaults(read)) return { root, text, words: explain(read.checked) }
  }
  return undefined
}

/** One of each type. */
function fromFields(objects: FilterObjects, root: string, sampled: Sampled) {
  const fields = objects[root]?.fields ?? []
  const types = new Map(fields.toReversed().map((field) => [`${field.type} ${field.many}`, field]))
  const texts = [...types.values()].reverse().flatMap((field) => sampleOf(field, sampled) ?? [])
  return texts.flatMap((text) => fitting(text, objects, [root]) ?? [])
}
