import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../client/api.ts'
import { useObject } from '../../records/schema.ts'
import { type Pick, Picker } from '../../ui/picker.tsx'

type Props = {
  label: string
  value: string[]
  onChange: (addresses: string[]) => void
  autoFocus?: boolean
  error?: string | undefined
  /** What people are reached by. */
  kind?: 'email' | 'phone' | 'handle'
}

const patterns = {
  email: /^[^\s@<>",;]+@[^\s@<>",;]+\.[^\s@<>",;]+$/,
  phone: /^\+[\d\s()./-]{5,}$/,
  handle: /^[^\s<>",;]+$/,
}

/** Addresses: those of people in Kith by name, or any that is typed or pasted. */
export function Recipients({ label, value, onChange, autoFocus = false, error, kind = 'email' }: Props) {
  const isAddress = (text: string) => patterns[kind].test(text)
  const asStored = (text: string) =>
    kind === 'email' ? text.toLowerCase() : kind === 'phone' ? `+${text.replace(/\D/g, '')}` : text
  const [text, setText] = useState<string>()
  const typed = text?.trim() ?? ''
  const { found, isCurrent } = useAddresses(typed, kind)
  const known = found.filter((one) => !value.includes(one.value))
  const own: Pick[] =
    isAddress(typed) && !known.some((one) => one.value === typed) ? [{ value: typed, label: typed }] : []
  const add = (addresses: string[]) => {
    setText(undefined)
    onChange([...new Set([...value, ...addresses.map(asStored)])])
  }
  /** "Ada <ada@example.com>, bob@example.com; " */
  const type = (next: string) => {
    const parts = next.split(/[,;\n]/).map((part) => part.replace(/.*<([^>]*)>.*/, '$1').trim())
    const isEnded = parts.length > 1
    if (isEnded && parts.every((part) => !part || isAddress(part))) return add(parts.filter(Boolean))
    setText(next)
  }
  return (
    <Picker
      input={{
        'aria-label': label,
        autoFocus,
        ...(error && { error }),
        ...(value.length === 0 && { placeholder: 'Name or address' }),
      }}
      isMulti
      items={[...own, ...known]}
      chosen={value.map((address) => ({ value: address, label: address }))}
      text={text}
      isCurrent={isCurrent || own.length > 0}
      onType={type}
      onPick={(address) => add([address])}
      onRemove={(address) => onChange(value.filter((one) => one !== address))}
      onLeave={() => (isAddress(typed) ? add([typed]) : setText(undefined))}
      nothing={typed ? 'Nobody with that name. Type a whole address.' : null}
    />
  )
}

/** People by name, with their addresses. */
function useAddresses(text: string, kind: 'email' | 'phone' | 'handle') {
  const field = kind === 'email' ? 'emails' : 'phones'
  const people = useObject('people')
  const [search] = useDebouncedValue(text, 150)
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['records', 'people', 'addresses', field, search],
    queryFn: async ({ signal }) => {
      const filter = { and: [{ field, op: 'is_not_empty' as const }, ...(search ? [{ search }] : [])] }
      const { records } = await api.queryRecords(
        { object: 'people', filter, fields: ['title', field], limit: 8 },
        { signal },
      )
      return records.flatMap(({ title, [field]: addresses }): Pick[] =>
        ([addresses ?? []].flat() as string[]).map((value) => ({ value, label: String(title), detail: value })),
      )
    },
    enabled: people !== undefined && search !== '',
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  })
  return { found: search ? (data ?? []) : [], isCurrent: search === text && !isPlaceholderData }
}
