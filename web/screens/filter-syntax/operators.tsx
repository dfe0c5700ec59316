import { fieldTypes } from '../../../contract/field-types.ts'
import { type FilterField, type Op, operators, operatorsOf } from '../../../contract/filter/index.ts'
import { inSentence } from '../../../contract/in-sentence.ts'
import { wordsFor } from '../../records/filter/operator-words.ts'
import { filterObjects } from '../../records/filter/scope.ts'
import { typeWords } from '../../records/filter/type-words.ts'
import type { ObjectShape } from '../../records/schema.ts'
import css from './reference.module.css'
import { sampleOf, useSampled } from './samples.ts'
import { useTryOut } from './tried.ts'

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
                    title={text ? `Try ${text}` : `No such field of ${inSentence(object.label_plural)}`}
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
