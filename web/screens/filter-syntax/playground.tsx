import { Select } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { memo, useRef } from 'react'
import type { Scope } from '../../../contract/filter/index.ts'
import { FilterBox } from '../../records/filter/filter-box.tsx'
import { FilterChips } from '../../records/filter/filter-chips.tsx'
import { read } from '../../records/filter/read.ts'
import { useScope } from '../../records/filter/scope.ts'
import { useFilterText } from '../../records/filter/use-filter-text.ts'
import type { ObjectShape } from '../../records/schema.ts'
import css from './filter-syntax.module.css'
import { Outcome } from './outcome.tsx'
import { useTriedFilter, useTriedObject, useTryOut } from './tried.ts'

// Hundreds of chips would be no easier to read, and slow down what is typed above them.
const longestAsChips = 1000

/** A filter to play with: what it means, how many records fit and which, and how to ask the same elsewhere. */
export const Playground = memo(function Playground({ schema }: { schema: ObjectShape[] }) {
  const object = useTriedObject(schema)
  const scope = useScope(object.key)
  const box = useRef<HTMLDivElement>(null)
  const tryOut = useTryOut()
  const given = useTriedFilter()
  const { text, version, type, replace } = useFilterText(given, (filter, typing) =>
    tryOut({ object: object.key, filter }, { typing }),
  )
  const reading = read(text, scope)
  const typeAfterPause = useDebouncedCallback(type, 250)
  return (
    <section aria-label="Playground" data-playground>
      <div className={css.question}>
        <Select
          aria-label="Object"
          data={schema.map(({ key, label_plural }) => ({ value: key, label: label_plural }))}
          value={object.key}
          allowDeselect={false}
          searchable={schema.length > 10}
          onChange={(key) => key && tryOut({ object: key, filter: text })}
        />
        <div ref={box}>
          <FilterBox
            key={version}
            object={object.key}
            value={text}
            isLive
            onDraft={typeAfterPause}
            onChange={type}
            hint={`Type a filter, such as ${exampleOf(scope)}`}
          />
        </div>
      </div>
      {reading.filter && text.length <= longestAsChips && (
        <div className={css.chips}>
          <span>{text ? 'The same as chips' : 'Or begin with a chip'}</span>
          <FilterChips
            scope={scope}
            filter={reading.filter}
            onChange={replace}
            onText={() => box.current?.querySelector<HTMLElement>('[role=textbox]')?.focus()}
          />
        </div>
      )}
      <Outcome object={object} reading={reading} />
    </section>
  )
})

function exampleOf({ objects, root }: Scope) {
  const choice = objects[root]?.fields.find(({ options }) => options?.length)
  return choice ? `${choice.key} = ${choice.options![0]!.key}` : 'created_at > -7d'
}
