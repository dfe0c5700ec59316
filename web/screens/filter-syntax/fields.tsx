import { TextInput } from '@mantine/core'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { type FilterField, fold } from '../../../contract/filter/index.ts'
import { printPath } from '../../../contract/filter/path.ts'
import { inSentence } from '../../../contract/in-sentence.ts'
import { filterObjects } from '../../records/filter/scope.ts'
import { typeWords } from '../../records/filter/type-words.ts'
import type { ObjectShape } from '../../records/schema.ts'
import { Cell, Head, Row, Table } from '../../ui/table.tsx'
import css from './reference.module.css'
import { type Sampled, sampleOf, useSampled } from './samples.ts'
import { TryButton } from './try-button.tsx'

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
        leftSection={<Search size={14} aria-hidden="true" />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {fields.length ? (
        <Table
          label={`Fields of ${object.label_plural}`}
          className={css.fields}
          head={
            <>
              <Head>Name</Head>
              <Head>Label</Head>
              <Head>Type</Head>
              <Head>Try</Head>
            </>
          }
        >
          {fields.map((field) => (
            <FieldRow key={field.key} object={object.key} field={field} labels={labels} sampled={sampled} />
          ))}
        </Table>
      ) : (
        <p className={css.nothing}>No field of that name.</p>
      )}
    </>
  )
}

type Labels = Map<string, string>
type RowProps = { object: string; field: FilterField; labels: Labels; sampled: Sampled }

function FieldRow({ object, field, labels, sampled }: RowProps) {
  const sample = sampleOf(field, sampled)
  return (
    <Row>
      <Cell kind="name">
        <code>{printPath(field.key)}</code>
      </Cell>
      <Cell kind="label">
        <span dir="auto">{field.label}</span>
      </Cell>
      <Cell kind="type">
        {typeWords(field)}
        <Values field={field} labels={labels} />
      </Cell>
      <Cell kind="try">{sample && <TryButton object={object} text={sample} />}</Cell>
    </Row>
  )
}

const mostOptions = 12

function Values({ field, labels }: { field: FilterField; labels: Labels }) {
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
  return <span className={css.values}>to {to.length ? to.join(', ').toLocaleLowerCase() : 'any object'}</span>
}
