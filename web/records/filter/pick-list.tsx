import { Combobox, TextInput, useCombobox } from '@mantine/core'
import { Check, MoonStar, Search, TextSearch } from 'lucide-react'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { targetsOf } from '../../../contract/filter/check-path.ts'
import { fold, type Scope } from '../../../contract/filter/index.ts'
import { fieldKinds } from '../field-kinds.ts'
import css from './pick-list.module.css'
import type { FieldSubject, Subject } from './tree.ts'

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

type Found = FieldSubject & { group?: string }

type PickFieldProps = {
  scope: Scope
  onPick: (subject: Subject) => void
  /** What was typed is to be searched for in the records. */
  onSearch: (text: string) => void
}

/** A field of the object; fields of related records come up when they are searched for, or they would bury the rest. */
export function PickField({ scope, onPick, onSearch }: PickFieldProps) {
  const [search, setSearch] = useState('')
  const wanted = fold(search.trim())
  const fits = ({ label, path }: Found) => fold(label).includes(wanted) || path.includes(wanted)
  const own = ownFields(scope).filter(fits)
  const related = wanted ? relatedFields(scope).filter(fits) : []
  const others = otherSubjects.filter(({ label }) => fold(label).includes(wanted))
  return (
    <PickList
      label="Field to filter by"
      placeholder="Filter by…"
      nothing="No field of that name"
      items={[...own.map(itemOf), ...others, ...related.map(itemOf), ...(wanted ? [searchFor(search.trim())] : [])]}
      search={search}
      onSearch={setSearch}
      onPick={(value) =>
        value === words
          ? onSearch(search.trim())
          : onPick([...own, ...related].find(({ path }) => path === value) ?? subjectOf(value))
      }
    />
  )
}

// No field has such a key.
const otherSubjects = [
  { value: '/search', label: 'Any text', icon: <TextSearch size={15} strokeWidth={1.75} aria-hidden="true" /> },
  { value: '/quiet', label: 'Quiet for', icon: <MoonStar size={15} strokeWidth={1.75} aria-hidden="true" /> },
]
const words = '/words'
const searchFor = (text: string) => ({
  value: words,
  label: `Any text contains “${text}”`,
  icon: <Search size={15} strokeWidth={1.75} aria-hidden="true" />,
})
const subjectOf = (value: string): Subject => (value === '/quiet' ? 'quiet' : 'search')

function itemOf({ path, label, group, field }: Found) {
  const { icon: Icon } = fieldKinds[field.type]
  return { value: path, label, group, icon: <Icon size={15} strokeWidth={1.75} aria-hidden="true" /> }
}

const ownFields = ({ objects, root }: Scope): Found[] =>
  (objects[root]?.fields ?? []).map((field) => ({ path: field.key, label: field.label, field }))

function relatedFields({ objects, root }: Scope): Found[] {
  const links = (objects[root]?.fields ?? []).filter(({ type, many }) => type === 'relation' && !many)
  return links.flatMap((link) => {
    const [target, ...others] = targetsOf(link, objects)
    if (!target || others.length) return []
    return objects[target]!.fields.map((field) => ({
      path: `${link.key}.${field.key}`,
      label: `${link.label} › ${field.label}`,
      field,
      group: link.label,
    }))
  })
}
