import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { Schema } from '../../../contract/document/api-document.ts'
import {
  choicesOf,
  limitsOf,
  partsOf,
  resolved,
  type SchemaPart,
  type Schemas,
  typeWords,
} from '../../../contract/document/schema-words.ts'
import css from './schema-tree.module.css'

type Props = { label: string; parts: SchemaPart[]; schemas: Schemas; isOpen?: boolean; isAnswer?: boolean }

/**
 * What a value consists of, level by level. What is folded is not drawn, because schemas contain themselves.
 * In an answer, nothing is required.
 */
export const SchemaTree = ({ label, parts, schemas, isOpen = false, isAnswer = false }: Props) => (
  <ul className={css.tree} aria-label={label}>
    {parts.map((part) => (
      <Part key={part.name} part={part} schemas={schemas} isOpen={isOpen} isAnswer={isAnswer} />
    ))}
  </ul>
)

const mostChoices = 12

type PartProps = { part: SchemaPart; schemas: Schemas; isOpen: boolean; isAnswer: boolean }

function Part({ part: { name, schema, isRequired, isVariant }, schemas, isOpen, isAnswer }: PartProps) {
  const inner = partsOf(schema, schemas)
  const [open, setOpen] = useState(isOpen)
  const choices = inner.length ? [] : choicesOf(schema, schemas)
  const description = descriptionOf(schema, schemas)
  const head = (
    <>
      <code className={css.name} data-variant={isVariant}>
        {name}
      </code>
      {!isVariant && <span className={css.type}>{typeWords(schema, schemas)}</span>}
      {isRequired && !isAnswer && <span className={css.required}>required</span>}
      {limitsOf(schema, schemas).map((limit) => (
        <span key={limit} className={css.type}>
          {limit}
        </span>
      ))}
    </>
  )
  return (
    <li>
      {inner.length ? (
        <button type="button" className={css.row} aria-expanded={open} onClick={() => setOpen(!open)}>
          <ChevronRight size={14} />
          {head}
        </button>
      ) : (
        <div className={css.row}>{head}</div>
      )}
      {description && (
        <p className={css.about}>
          <Marked text={description} />
        </p>
      )}
      {choices.length > 0 && (
        <p className={css.choices}>
          {choices.slice(0, mostChoices).map((choice) => (
            <code key={choice}>{choice}</code>
          ))}
          {choices.length > mostChoices && <span>and {choices.length - mostChoices} more</span>}
        </p>
      )}
      {open && inner.length > 0 && <SchemaTree label={name} parts={inner} schemas={schemas} isAnswer={isAnswer} />}
    </li>
  )
}

function descriptionOf(schema: Schema, schemas: Schemas) {
  const { description, items } = resolved(schema, schemas)
  return description ?? (items && resolved(items, schemas).description)
}

/** Text in which `code` is marked. */
export const Marked = ({ text }: { text: string }) =>
  text.split(/`([^`]+)`/).map((part, index) => (index % 2 ? <code key={part}>{part}</code> : part))
