import { TextInput } from '@mantine/core'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { fieldTypes } from '../../../contract/built-in/field-types.ts'
import { type FilterField, fold, type Op, operators, operatorsOf } from '../../../contract/filter/index.ts'
import { printPath } from '../../../contract/filter/path.ts'
import { inSentence } from '../../../contract/shared/in-sentence.ts'
import type { ObjectShape } from '../../records/data/schema.ts'
import { filterObjects } from '../../records/filter/tree.ts'
import { typeWords, wordsFor } from '../../records/filter/values/words.ts'
import { Panel } from '../../ui/basics/layout.tsx'
import { DataTable } from '../../ui/page/table.tsx'
import css from './reference.module.css'
import { sampleOf, useSampled } from './samples.ts'
import { TryButton, useTryOut } from './try-out.tsx'

type Kind = { fields: FilterField[]; ops: Op[] }

const every: FilterField[] = fieldTypes.flatMap((type) => {
  const field: FilterField = { key: type, label: type, type }
  return type === 'relation' ? [field, { ...field, many: true }] : [field]
})

/** Types that take the same operators, read in the same words. */
const kinds = every.reduce<Kind[]>((found, field) => {
  const ops = operatorsOf(field)
  const same = found.find((kind) => saidOf(kind.fields[0]!, kind.ops) === saidOf(field, ops))
  if (same) same.fields.push(field)
  else found.push({ fields: [field], ops })
  return found
}, [])

/** Words of the language that are plain English already need no others. */
function wordsBeside(op: Op, field: FilterField) {
  const words = wordsFor(op, field)
  return words.endsWith(operators[op].text) || words.startsWith(operators[op].text) ? null : <span>{words}</span>
}

function saidOf(field: FilterField, ops: Op[]) {
  return ops.map((op) => `${op} ${wordsFor(op, field)}`).join()
}

export function Operators({ schema, object }: { schema: ObjectShape[]; object: ObjectShape }) {
  const own = filterObjects(schema)[object.key]?.fields ?? []
  const sampled = useSampled(object.key)
  const tryOut = useTryOut()
  const sample = ({ fields }: Kind, op: Op) => {
    const alike = own.filter(({ type, many }) => fields.some((one) => one.type === type && !one.many === !many))
    return alike.map((field) => sampleOf(field, sampled, op)).find(Boolean)
  }
  return (
    <div className={css.kinds}>
      {kinds.map((kind) => (
        <section key={typeWords(kind.fields[0]!)} className={css.kind}>
          <h3>{kind.fields.map(typeWords).join(', ')}</h3>
          <ul>
            {kind.ops.map((op) => {
              const text = sample(kind, op)
              return (
                <li key={op}>
                  <button
                    type="button"
                    disabled={!text}
                    title={text ? `Try ${text}` : `${object.label_plural} have no such field`}
                    onClick={() => tryOut({ object: object.key, filter: text })}
                  >
                    <code>{operators[op].text}</code>
                    {wordsBeside(op, kind.fields[0]!)}
                  </button>
                </li>
              )
            })}
          </ul>
        </section>
      ))}
    </div>
  )
}

/** Every field of the chosen object, as filters name it. */
export function Fields({ schema, object }: { schema: ObjectShape[]; object: ObjectShape }) {
  const [search, setSearch] = useState('')
  const sampled = useSampled(object.key)
  const all = filterObjects(schema)[object.key]?.fields ?? []
  const wanted = fold(search)
  const fields = all.filter(({ key, label }) => fold(key).includes(wanted) || fold(label).includes(wanted))
  const labels = new Map(schema.map(({ key, label_plural }) => [key, label_plural]))
  return (
    <>
      <TextInput
        className={css.search}
        aria-label={`Search the fields of ${object.label_plural}`}
        placeholder={`Search ${all.length} fields of ${inSentence(object.label_plural)}`}
        leftSection={<Search size={14} />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {fields.length ? (
        <DataTable
          bare
          label={`Fields of ${object.label_plural}`}
          className={css.fields}
          columns={[
            { key: 'name', label: 'Name', cell: ({ key }) => <code>{printPath(key)}</code> },
            { key: 'label', label: 'Label', cell: ({ label }) => <span dir="auto">{label}</span> },
            {
              key: 'type',
              label: 'Type',
              cell: (field) => (
                <>
                  {typeWords(field)}
                  <Values field={field} labels={labels} />
                </>
              ),
            },
            {
              key: 'try',
              label: 'Try',
              cell: (field) => {
                const sample = sampleOf(field, sampled)
                return sample && <TryButton object={object.key} text={sample} />
              },
            },
          ]}
          items={fields}
          keyOf={({ key }) => key}
        />
      ) : (
        <Panel as="p" sunken className={css.nothing}>
          No field with that name.
        </Panel>
      )}
    </>
  )
}

const mostOptions = 12

function Values({ field, labels }: { field: FilterField; labels: Map<string, string> }) {
  if (field.options?.length)
    return (
      <span className={css.values}>
        {field.options.slice(0, mostOptions).map(({ key }) => (
          <code key={key}>{key}</code>
        ))}
        {field.options.length > mostOptions && ` and ${field.options.length - mostOptions} more`}
      </span>
    )
  if (field.type !== 'relation') return null
  const to = (field.to ?? []).flatMap((key) => labels.get(key) ?? [])
  return <span className={css.values}>to {to.length ? to.map(inSentence).join(', ') : 'any object'}</span>
}
