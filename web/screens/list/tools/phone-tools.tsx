import { Button, Indicator, NativeSelect } from '@mantine/core'
import { Check, SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { inSentence } from '../../../../contract/shared/in-sentence.ts'
import { type ObjectShape, useSchema } from '../../../records/data/schema.ts'
import { counted } from '../../../records/data/value-text.ts'
import { FilterBar } from '../../../records/filter/filter-bar.tsx'
import { allOf, filterObjects, read } from '../../../records/filter/tree.ts'
import type { ListState } from '../../../records/lists/use-list-state.ts'
import { PopPanel } from '../../../ui/form/pop-panel.tsx'
import { ColumnChoice } from './column-choice.tsx'
import { GroupSelect } from './group-choice.tsx'
import css from './phone-tools.module.css'
import { quickFilters } from './quick-filters.ts'
import { SortChoice, sortWords } from './sort-choice.tsx'
import { asType, fieldOf, typeChoices } from './type-switch.tsx'
import { SaveView } from './view-bar.tsx'

type Props = { object: ObjectShape; state: ListState; total: { count: number; isExact: boolean } | undefined }

/** On a phone: views, filter, sort and fields behind one button, which says how many conditions there are. */
export function PhoneTools({ object, state, total }: Props) {
  const [isOpen, setOpen] = useState(false)
  const count = useConditionCount(object, state.filter)
  const { view, views } = state
  const choose = (id: string | undefined) => {
    state.openView(id)
    setOpen(false)
  }
  return (
    <PopPanel
      title="View, filter and sort"
      opened={isOpen}
      onClose={() => setOpen(false)}
      target={
        <Indicator label={count} size={17} disabled={!count} offset={3} color="pine">
          <Button
            variant="default"
            size="sm"
            h={40}
            px={10}
            aria-label={count ? `View, filter and sort, ${count} active` : 'View, filter and sort'}
            onClick={() => setOpen(true)}
          >
            <SlidersHorizontal size={17} />
          </Button>
        </Indicator>
      }
    >
      <div className={css.sheet}>
        <Section title="View">
          <ul className={css.views}>
            {[{ id: undefined, name: `All ${inSentence(object.label_plural)}` }, ...views].map(({ id, name }) => (
              <li key={id ?? 'all'}>
                <button type="button" aria-current={view?.id === id ? 'true' : undefined} onClick={() => choose(id)}>
                  <span dir="auto">{name}</span>
                  {view?.id === id && (state.isChanged ? <small>Changed</small> : <Check size={16} />)}
                </button>
              </li>
            ))}
          </ul>
          <SaveView object={object} state={state} />
        </Section>
        <Section title="Show as">
          <ShowAs object={object} state={state} />
        </Section>
        {state.type === 'table' && (
          <Section title="Group by">
            <GroupSelect object={object} state={state} />
          </Section>
        )}
        <Section title="Filter">
          <FilterBar
            object={object.key}
            value={state.filter}
            quick={quickFilters(object)}
            onChange={(filter) => state.change({ filter })}
          />
        </Section>
        <Section title={state.sort.length ? `Sort: ${sortWords(object, state.sort)}` : 'Sort'}>
          <SortChoice object={object} state={state} />
        </Section>
        <details className={css.section}>
          <summary>Fields</summary>
          <ColumnChoice object={object} state={state} />
        </details>
        <div className={css.show}>
          <Button fullWidth onClick={() => setOpen(false)}>
            {total ? `Show ${total.isExact ? '' : 'more than '}${counted(total.count, object)}` : 'Show'}
          </Button>
        </div>
      </div>
    </PopPanel>
  )
}

/** As one choice: what it is shown as, and by which field. */
function ShowAs({ object, state }: { object: ObjectShape; state: ListState }) {
  const { board, calendar } = typeChoices(object)
  const now = fieldOf(object, state)
  const known = new Map<string, ReturnType<typeof asType>>([
    ['table', asType('table', undefined)],
    ...board.map((field) => [`board ${field.key}`, asType('board', field)] as const),
    ...calendar.map((field) => [`calendar ${field.key}`, asType('calendar', field)] as const),
  ])
  return (
    <NativeSelect
      size="md"
      aria-label="Show as"
      value={now ? `${state.type} ${now.key}` : 'table'}
      onChange={(event) => state.change(known.get(event.currentTarget.value)!)}
      data={[
        { value: 'table', label: 'List' },
        { group: 'Board by', items: board.map(({ key, label }) => ({ value: `board ${key}`, label })) },
        { group: 'Calendar by', items: calendar.map(({ key, label }) => ({ value: `calendar ${key}`, label })) },
      ]}
    />
  )
}

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={css.section}>
    <h2>{title}</h2>
    {children}
  </section>
)

/** A filter with an error counts as one. */
function useConditionCount(object: ObjectShape, text: string) {
  const objects = filterObjects(useSchema())
  return useMemo(() => {
    const { filter } = read(text, { objects, root: object.key })
    return filter ? allOf(filter).parts.length : 1
  }, [objects, object.key, text])
}
