import { CloseButton, Combobox, Kbd, Loader, Modal, TextInput, useCombobox } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { RecordFace } from '../../records/record-face.tsx'
import { useSchema } from '../../records/schema.ts'
import { useFocusBack } from '../../ui/focus-back.ts'
import { wordsOf } from '../../ui/form-errors.ts'
import { type Command, useCommands } from './commands.ts'
import { beginsWith, matches } from './matches.ts'
import css from './palette.module.css'
import { useFound } from './use-found.ts'

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
  const navigate = useNavigate()
  const objects = useSchema()
  const commands = fitting(useCommands(), query)
  const { records, isSearching, error } = useFound(query)
  const store = useCombobox({ opened: true, onOpenedChange: (isOpen) => !isOpen && onClose() })
  // biome-ignore lint/correctness/useExhaustiveDependencies: with other words, the choice begins at the first again
  useEffect(() => void store.selectFirstOption(), [query])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is found arrives behind what one can choose already
  useEffect(() => {
    if (store.getSelectedOptionIndex() < 0) store.selectFirstOption()
    else store.updateSelectedOptionIndex('selected')
  }, [records.length])

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
  const press = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    onClose()
  }
  const groups = [...Map.groupBy(commands, ({ group }) => group)]
  const isEmpty = !commands.length && !records.length
  return (
    <Combobox store={store} onOptionSubmit={run}>
      <Combobox.EventsTarget withExpandedAttribute>
        <TextInput
          autoFocus
          data-autofocus
          variant="unstyled"
          size="md"
          className={css.search}
          leftSection={isSearching ? <Loader size={16} color="gray" /> : <Search size={17} aria-hidden="true" />}
          rightSection={
            <>
              <Kbd size="xs" className={css.escape}>
                Esc
              </Kbd>
              <CloseButton size={36} className={css.close} aria-label="Close" onClick={onClose} />
            </>
          }
          rightSectionWidth={58}
          placeholder="Find records, pages and actions"
          aria-label="Find a record, go somewhere, do something"
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
          onKeyDown={press}
        />
      </Combobox.EventsTarget>
      <Combobox.Options className={css.options} aria-label="Results">
        {records.length > 0 && !query.trim() && <Records of={records} label="Looked at last" objects={objects} />}
        {groups.map(([group, some]) => (
          <Combobox.Group key={group} label={group} classNames={{ groupLabel: css.group }}>
            {some.map((command) => (
              <CommandOption key={command.id} of={command} />
            ))}
          </Combobox.Group>
        ))}
        {records.length > 0 && query.trim() !== '' && <Records of={records} label="Records" objects={objects} />}
        {isEmpty && !isSearching && (
          <Combobox.Empty>{error ? wordsOf(error) : 'Nothing fits. Try fewer or other words.'}</Combobox.Empty>
        )}
        {isEmpty && isSearching && <Combobox.Empty>Searching…</Combobox.Empty>}
      </Combobox.Options>
    </Combobox>
  )
}

const mostAtOnce = 6
const atFirst = new Set<Command['group']>(['Create', 'Lists', 'Actions'])

/** Without words, the usual; with words, the few that fit, those that begin so first. */
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
    <Icon size={16} strokeWidth={1.75} aria-hidden="true" className={css.icon} />
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

type RecordsProps = {
  of: { object: string; id: string; title: string; detail: string | null }[]
  label: string
  objects: { key: string; label: string }[]
}

const Records = ({ of, label, objects }: RecordsProps) => (
  <Combobox.Group label={label} classNames={{ groupLabel: css.group }}>
    {of.map(({ object, id, title, detail }) => (
      <Combobox.Option key={id} value={id} className={css.option}>
        <RecordFace object={object} title={title} size={22} />
        <span className={css.label}>
          <bdi>{title}</bdi> {detail && <small dir="auto">{detail}</small>}
        </span>
        <span className={css.kind}>{objects.find(({ key }) => key === object)?.label}</span>
      </Combobox.Option>
    ))}
  </Combobox.Group>
)
