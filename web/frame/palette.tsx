import { CloseButton, Combobox, Kbd, Loader, Modal, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { Fragment, type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { contract } from '../../contract/index.ts'
import type { Output } from '../../contract/operation.ts'
import { api } from '../client/api.ts'
import { lastVisited } from '../records/data/kept.ts'
import { type FieldShape, type ObjectShape, useSchema } from '../records/data/schema.ts'
import { ObjectIcon } from '../records/fields/object-icon.tsx'
import { RecordFace } from '../records/fields/record-face.tsx'
import { wordsOf } from '../ui/basics/errors.ts'
import { useFocusBack } from '../ui/basics/keyboard.ts'
import { type Command, useCommands } from './commands.ts'
import { useFoundConversations } from './conversations.ts'
import { beginsWith, matches } from './matches.ts'
import css from './palette.module.css'

type Props = { onClose: () => void }

/** Mantine's spotlight says nothing to screen readers; its combobox does, so the palette is one in a dialog. */
export function Palette({ onClose }: Props) {
  useFocusBack()
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      centered={false}
      yOffset="12dvh"
      size={620}
      padding={0}
      returnFocus={false}
      attributes={{ content: { 'aria-label': 'Search and commands' } }}
      classNames={{ content: css.content }}
    >
      <Finder onClose={onClose} />
    </Modal>
  )
}

function Finder({ onClose }: Props) {
  const [query, setQuery] = useState('')
  /** The text for which Enter was pressed before its answer was there. */
  const [entered, setEntered] = useState<string>()
  const hasMoved = useRef(false)
  const navigate = useNavigate()
  const objects = useSchema()
  const commands = [...fitting(useCommands(), query), ...useFoundConversations(query)]
  const { records, isSearching, error } = useFound(query)
  const areRecordsFirst = !query.trim() || records.some(({ title }) => beginsWith(title, query))
  const first = areRecordsFirst ? (records[0] ?? commands[0]) : (commands[0] ?? records[0])
  const store = useCombobox({ opened: true, onOpenedChange: (isOpen) => !isOpen && onClose() })
  // biome-ignore lint/correctness/useExhaustiveDependencies: other results
  useEffect(() => {
    if (hasMoved.current) store.updateSelectedOptionIndex('selected')
    else store.selectFirstOption()
  }, [query, records])

  const run = (id: string) => {
    onClose()
    const record = records.find((one) => one.id === id)
    const command = commands.find((one) => one.id === id)
    // After the dialog is gone, so that what opens next takes the focus.
    setTimeout(() => {
      if (record) void navigate({ to: '/records/$object/$id', params: { object: record.object, id } })
      else command?.run()
    })
  }
  const runFirst = useEffectEvent(() => first && run(first.id))
  useEffect(() => {
    if (entered === query && !isSearching) runFirst()
  }, [entered, query, isSearching])

  const press = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') hasMoved.current = true
    const isWaiting = event.key === 'Enter' && isSearching && !hasMoved.current && !event.nativeEvent.isComposing
    const isClosing = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
    if (!isWaiting && !isClosing) return
    event.preventDefault()
    event.stopPropagation()
    if (isClosing) onClose()
    else setEntered(query)
  }
  const groups = [...Map.groupBy(commands, ({ group }) => group)]
  const isEmpty = !commands.length && !records.length
  const found = records.length > 0 && (
    <Records of={records} label={query.trim() ? 'Records' : 'Recent'} objects={objects} />
  )
  return (
    <Combobox store={store} onOptionSubmit={run}>
      <Combobox.EventsTarget withExpandedAttribute>
        <TextInput
          autoFocus
          data-autofocus
          variant="unstyled"
          size="md"
          className={css.search}
          leftSection={isSearching ? <Loader size={16} color="gray" /> : <Search size={17} />}
          rightSection={
            <>
              <Kbd size="xs" className={css.escape}>
                Esc
              </Kbd>
              <CloseButton size={36} className={css.close} aria-label="Close" onClick={onClose} />
            </>
          }
          rightSectionWidth={58}
          placeholder="Find records, conversations, pages and actions"
          aria-label="Search records, pages and actions"
          value={query}
          onChange={(event) => {
            hasMoved.current = false
            setQuery(event.currentTarget.value)
          }}
          onKeyDownCapture={press}
        />
      </Combobox.EventsTarget>
      <Combobox.Options className={css.options} aria-label="Results">
        {areRecordsFirst && found}
        {groups.map(([group, some]) => (
          <Combobox.Group key={group} label={group} classNames={{ groupLabel: css.group }}>
            {some.map((command) => (
              <CommandOption key={command.id} of={command} />
            ))}
          </Combobox.Group>
        ))}
        {!areRecordsFirst && found}
        {isEmpty && !isSearching && (
          <Combobox.Empty>{error ? wordsOf(error) : `No results for “${query.trim()}”.`}</Combobox.Empty>
        )}
        {isEmpty && isSearching && <Combobox.Empty>Searching…</Combobox.Empty>}
      </Combobox.Options>
    </Combobox>
  )
}

const mostAtOnce = 6
const atFirst = new Set<Command['group']>(['Create', 'Lists', 'Actions'])

/** Without words, the usual ones; with words, the few that match, those that begin with them first. */
function fitting(commands: Command[], query: string) {
  if (!query.trim()) {
    const groups = Map.groupBy(commands, ({ group }) => group)
    return [...groups].flatMap(([group, some]) => (atFirst.has(group) ? some.slice(0, mostAtOnce) : []))
  }
  const found = commands.filter(({ label, words = '' }) => matches(`${label} ${words}`, query))
  const late = ({ label }: Command) => Number(!beginsWith(label, query))
  return found.sort((a, b) => late(a) - late(b)).slice(0, 2 * mostAtOnce)
}

const CommandOption = ({ of: { id, label, icon: Icon, keys } }: { of: Command }) => (
  <Combobox.Option value={id} className={css.option}>
    <span className={css.icon}>
      {'color' in Icon ? <ObjectIcon of={Icon} /> : <Icon size={16} strokeWidth={1.75} />}
    </span>
    <span className={css.label} dir="auto">
      {label}
    </span>
    {keys && (
      <span className={css.keys} aria-hidden="true">
        {keys.map((key) => (
          <Kbd key={key} size="xs">
            {key}
          </Kbd>
        ))}
      </span>
    )}
  </Combobox.Option>
)

type Found = Output<typeof contract.searchRecords>['items'][number]
type RecordsProps = { of: Found[]; label: string; objects: ObjectShape[] }

const Records = ({ of, label, objects }: RecordsProps) => (
  <Combobox.Group label={label} classNames={{ groupLabel: css.group }}>
    {of.map((found) => {
      const { object, id, title, matched } = found
      const shape = objects.find(({ key }) => key === object)
      return (
        <Combobox.Option key={id} value={id} className={css.option}>
          <RecordFace object={object} title={title} size={22} id={id} />
          <span className={css.label}>
            <bdi>
              <Marked text={title} ranges={matched.find(({ field }) => field === 'title')?.ranges ?? []} />
            </bdi>{' '}
            <Detail of={found} fields={shape?.fields ?? []} />
          </span>
          <span className={css.kind}>{shape?.label}</span>
        </Combobox.Option>
      )
    })}
  </Combobox.Group>
)

/** Why the record was found, if its title does not say it; otherwise what tells it apart. */
function Detail({ of: { matched, detail }, fields }: { of: Found; fields: FieldShape[] }) {
  const why = matched.find(({ field }) => field !== 'title')
  if (!why) return detail && <small dir="auto">{detail}</small>
  return (
    <small>
      {fields.find(({ key }) => key === why.field)?.label}{' '}
      <bdi>
        <Marked text={why.text ?? ''} ranges={why.ranges} />
      </bdi>
    </small>
  )
}

const Marked = ({ text, ranges }: { text: string; ranges: [number, number][] }) => (
  <>
    {ranges.map(([start, end], i) => (
      <Fragment key={start}>
        {text.slice(ranges[i - 1]?.[1] ?? 0, start)}
        <mark className={css.mark}>{text.slice(start, end)}</mark>
      </Fragment>
    ))}
    {text.slice(ranges.at(-1)?.[1] ?? 0)}
  </>
)

const mostFound = 12

/**
 * The records that match what is typed; before anything is typed, the ones visited last. While `isSearching`, they
 * still belong to an earlier text.
 */
function useFound(query: string) {
  const typed = query.trim()
  const [q] = useDebouncedValue(typed, 120)
  const { data, isPending, error, isPlaceholderData } = useQuery({
    queryKey: ['search', q],
    queryFn: ({ signal }) => api.searchRecords({ q, limit: mostFound }, { signal }),
    enabled: q !== '',
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  })
  const visited = lastVisited().map((one) => ({ ...one, detail: null, matched: [] }))
  return {
    records: typed ? (q ? (data?.items ?? []) : []) : visited,
    isSearching: typed !== '' && (typed !== q || isPending || isPlaceholderData),
    error: typed ? error : null,
  }
}
