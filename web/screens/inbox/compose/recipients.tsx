import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Channel } from '../../../channels/channels.ts'
import { api } from '../../../client/api.ts'
import { type Conversation, nameOf } from '../../../conversations/inbox.ts'
import { useBuiltIn } from '../../../records/data/built-in.ts'
import { type Pick, Picker } from '../../../ui/form/picker.tsx'

type Props = {
  label: string
  value: string[]
  onChange: (addresses: string[]) => void
  autoFocus?: boolean
  error?: string | undefined
  /** What people are reached by. */
  kind?: AddressKind
  channel?: Channel | undefined
  /** Those of the conversation, whose names are known. */
  participants?: Conversation['participants'] | undefined
}
type AddressKind = 'email' | 'phone' | 'handle'

const patterns = {
  email: /^[^\s@<>",;]+@[^\s@<>",;]+\.[^\s@<>",;]+$/,
  phone: /^\+[\d\s()./-]{5,}$/,
  handle: /^[^\s<>",;]+$/,
}

const nobody = {
  email: 'No contact with that name has an email address. Enter a full address.',
  phone: 'No contact with that name has a phone number. Enter a number, e.g. +44 20 7946 0000.',
  handle: 'No contact with that name has used this channel. Enter their address on this channel.',
}

/** Addresses: those of people in Kith by name, or any that is typed or pasted. */
export function Recipients(props: Props) {
  const { label, value, onChange, autoFocus = false, error, kind = 'email', channel, participants } = props
  const [picked, setPicked] = useState<Pick[]>([])
  const isAddress = (text: string) => patterns[kind].test(text)
  const asStored = (text: string) =>
    kind === 'email' ? text.toLowerCase() : kind === 'phone' ? `+${text.replace(/\D/g, '')}` : text
  const [text, setText] = useState<string>()
  const typed = text?.trim() ?? ''
  const people = useAddresses(typed, kind, channel)
  const writers = useWriters(typed, kind, channel)
  const found = [...new Map([...writers.found, ...people.found].map((one) => [asStored(one.value), one])).values()]
  const known = found.filter((one) => !value.includes(asStored(one.value)))
  const isCurrent = people.isCurrent && writers.isCurrent
  const own: Pick[] =
    isAddress(typed) && !known.some((one) => one.value === typed) ? [{ value: typed, label: typed }] : []
  /** Any word may be a handle, so what it finds comes first. */
  const isVague = kind === 'handle' && known.length > 0
  /** An email address says more than a name. A number or a handle says less. */
  const shown = (address: string) =>
    kind === 'email'
      ? address
      : (picked.find((one) => asStored(one.value) === address)?.label ?? nameOf({ address, name: null }, participants))
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
      items={isVague ? [...known, ...own] : [...own, ...known]}
      chosen={value.map((address) => ({ value: address, label: shown(address) }))}
      text={text}
      isCurrent={isCurrent || own.length > 0}
      onType={type}
      onPick={(address) => {
        setPicked([...picked, ...found.filter((one) => one.value === address)])
        add([address])
      }}
      onRemove={(address) => onChange(value.filter((one) => one !== address))}
      onLeave={() => (isAddress(typed) && !isVague ? add([typed]) : setText(undefined))}
      nothing={typed ? nobody[kind] : null}
    />
  )
}

/** What the gateway of an API channel takes is not known: it may be numbers. */
const fieldFor = (kind: AddressKind, channel: Channel | undefined) =>
  kind === 'email' ? 'emails' : kind === 'phone' || channel?.kind === 'api' ? 'phones' : undefined

/** People by name, with their addresses. */
function useAddresses(text: string, kind: AddressKind, channel: Channel | undefined) {
  const field = fieldFor(kind, channel)
  const people = useBuiltIn('people')
  const [search] = useDebouncedValue(text, 150)
  const isAsked = people !== undefined && search !== '' && field !== undefined
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['records', people?.key, 'addresses', field, search],
    queryFn: async ({ signal }) => {
      const filter = { and: [{ field: field!, op: 'is_not_empty' as const }, ...(search ? [{ search }] : [])] }
      const { records } = await api.queryRecords(
        { object: people!.key, filter, fields: ['title', field!], limit: 8 },
        { signal },
      )
      return records.flatMap(({ title, [field!]: addresses }): Pick[] =>
        ([addresses ?? []].flat() as string[]).map((value) => ({ value, label: String(title), detail: value })),
      )
    },
    enabled: isAsked,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  })
  return { found: isAsked ? (data ?? []) : [], isCurrent: search === text && !isPlaceholderData }
}

/** Those who wrote by this channel before, by name: their handles are in no field of a person. */
function useWriters(text: string, kind: AddressKind, channel: Channel | undefined) {
  const [search] = useDebouncedValue(text.replace(/["\\]/g, ''), 150)
  const isAsked = kind !== 'email' && channel !== undefined && search !== ''
  const isMeant = ({ name, address }: Conversation['participants'][number]) =>
    `${name ?? ''} ${address}`.toLowerCase().includes(search.toLowerCase())
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['inbox', 'writers', channel?.id, search],
    queryFn: async ({ signal }) => {
      const filter = `channel = "${channel!.id}" and participant ~ "${search}"`
      const { items } = await api.listConversations({ filter, limit: 8 }, { signal })
      return items.flatMap(({ participants: all }) => (all.length > 1 ? all.filter(isMeant) : all))
    },
    enabled: isAsked,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  })
  const found = (isAsked ? (data ?? []) : []).map(
    (one): Pick => ({ value: one.address, label: nameOf(one), detail: one.address }),
  )
  return { found, isCurrent: !isAsked || !isPlaceholderData }
}
