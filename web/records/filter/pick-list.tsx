import { Combobox, TextInput, useCombobox } from '@mantine/core'
import { Check, Search } from 'lucide-react'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import css from './pick-list.module.css'

/** `shown`: what stands for the label, such as a badge. */
export type Pick = {
  value: string
  label: string
  detail?: string
  group?: string
  icon?: ReactNode
  shown?: ReactNode
}

type Props = {
  /** What is picked here, for those who do not see it. */
  label: string
  items: Pick[]
  picked?: string[]
  onPick: (value: string) => void
  search: string
  onSearch: (text: string) => void
  nothing?: string
  placeholder?: string
}

/** A list to search and pick from, all by keyboard. It stays as it is; whoever shows it closes it. */
export function PickList({ label, items, picked, onPick, search, onSearch, nothing, placeholder }: Props) {
  const store = useCombobox({ opened: true })
  const [, setListed] = useState<string | null>(null)
  const input = useRef<HTMLInputElement>(null)
  // At once: what traps the focus brings it a moment later, and the next letter may be on its way already.
  useLayoutEffect(() => input.current?.focus({ preventScroll: true }), [])
  // Another search begins at its first answer. The combobox names the chosen option only after an arrow key.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    const first = store.selectFirstOption()
    if (first) input.current?.setAttribute('aria-activedescendant', first)
    setListed(store.listId)
  }, [search, items.length])
  // The next one is searched for among all.
  const pick = (value: string) => {
    onPick(value)
    onSearch('')
  }
  const groups = [...new Set(items.map(({ group }) => group))]
  return (
    <Combobox store={store} onOptionSubmit={pick}>
      <Combobox.EventsTarget withExpandedAttribute>
        <TextInput
          ref={input}
          data-autofocus
          aria-label={label}
          placeholder={placeholder ?? 'Search'}
          leftSection={<Search size={14} aria-hidden="true" />}
          value={search}
          onChange={(event) => onSearch(event.currentTarget.value)}
        />
      </Combobox.EventsTarget>
      <Combobox.Options className={css.options} aria-label={label}>
        {groups.map((group) => {
          const options = items.filter((item) => item.group === group)
          const drawn = options.map((item) => <Item key={item.value} item={item} picked={picked} />)
          return group ? (
            <Combobox.Group key={group} label={group}>
              {drawn}
            </Combobox.Group>
          ) : (
            drawn
          )
        })}
        {items.length === 0 && <Combobox.Empty>{nothing ?? 'Nothing of that name'}</Combobox.Empty>}
      </Combobox.Options>
    </Combobox>
  )
}

function Item({ item, picked }: { item: Pick; picked: string[] | undefined }) {
  const isPicked = picked?.includes(item.value)
  return (
    <Combobox.Option value={item.value} active={isPicked} className={css.option}>
      {picked && <span className={css.check}>{isPicked && <Check size={14} aria-hidden="true" />}</span>}
      {item.icon}
      <span className={css.label} dir="auto">
        {item.shown ?? item.label}
      </span>
      {item.detail && <span className={css.detail}>{item.detail}</span>}
      {isPicked && <span className={css.unseen}>, chosen</span>}
    </Combobox.Option>
  )
}
