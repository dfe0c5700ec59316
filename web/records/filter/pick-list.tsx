import { MoonStar, Search, TextSearch } from 'lucide-react'
import { useState } from 'react'
import { targetsOf } from '../../../contract/filter/check-path.ts'
import { fold, type Scope } from '../../../contract/filter/index.ts'
import { PickList } from '../../ui/form/picker.tsx'
import { fieldKinds } from '../fields/field-kinds.ts'
import type { FieldSubject, Subject } from './tree.ts'

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
  const others = otherSubjects(scope).filter(({ label }) => fold(label).includes(wanted))
  return (
    <PickList
      label="Field to filter by"
      placeholder="Filter by…"
      nothing="No field with that name"
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
const anyText = {
  value: '/search',
  label: 'Any text',
  icon: <TextSearch size={15} strokeWidth={1.75} />,
}
const quiet = {
  value: '/quiet',
  label: 'Quiet for',
  icon: <MoonStar size={15} strokeWidth={1.75} />,
}
const otherSubjects = ({ objects, root }: Scope) =>
  objects[root]?.fields.some(({ key }) => key === 'last_activity_at') ? [anyText, quiet] : [anyText]
const words = '/words'
const searchFor = (text: string) => ({
  value: words,
  label: `Any text contains “${text}”`,
  icon: <Search size={15} strokeWidth={1.75} />,
})
const subjectOf = (value: string): Subject => (value === '/quiet' ? 'quiet' : 'search')

function itemOf({ path, label, group, field }: Found) {
  const { icon: Icon } = fieldKinds[field.type]
  return { value: path, label, group, icon: <Icon size={15} strokeWidth={1.75} /> }
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
