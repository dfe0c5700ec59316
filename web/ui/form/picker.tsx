// The one way to choose from a list: records, users, roles, options. As a field of a form or a cell, with the list in a
// pop-up (Picker), or as a list that is always open, inside a panel (PickList).
import {
  Combobox,
  type ComboboxStore,
  Input,
  Pill,
  PillsInput,
  TextInput,
  useCombobox,
  VisuallyHidden,
} from '@mantine/core'
import { Check, Plus, Search } from 'lucide-react'
import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import css from './picker.module.css'

/** `shown`: what stands for the label, such as a badge. `isNew`: choosing it creates something. */
export type Pick = {
  value: string
  label: string
  detail?: string | undefined
  group?: string | undefined
  icon?: ReactNode
  shown?: ReactNode
  isNew?: boolean
  isDisabled?: boolean
}

type ListProps = {
  /** What is picked here, for those who do not see it. */
  label: string
  items: Pick[]
  picked?: string[]
  onPick: (value: string) => void
  search: string
  onSearch: (text: string) => void
  nothing?: ReactNode
  placeholder?: string
}

/** A list to search and pick from, all by keyboard. It stays as it is; its parent closes it. */
export function PickList({ label, items, picked, onPick, search, onSearch, nothing, placeholder }: ListProps) {
  const store = useCombobox({ opened: true })
  const [, setListed] = useState<string | null>(null)
  const input = useRef<HTMLInputElement>(null)
  // At once: what traps the focus brings it a moment later, and the next letter may be on its way already.
  useLayoutEffect(() => input.current?.focus({ preventScroll: true }), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another search begins at its first answer
  useEffect(() => {
    selectFirst(store, input.current)
    setListed(store.listId)
  }, [search, items.length])
  // The next one is searched for among all.
  const pick = (value: string) => {
    onPick(value)
    onSearch('')
  }
  return (
    <Combobox store={store} onOptionSubmit={pick}>
      <Combobox.EventsTarget withExpandedAttribute>
        <TextInput
          ref={input}
          data-autofocus
          aria-label={label}
          placeholder={placeholder ?? 'Search'}
          leftSection={<Search size={14} />}
          value={search}
          onChange={(event) => onSearch(event.currentTarget.value)}
        />
      </Combobox.EventsTarget>
      <Options label={label} items={items} picked={picked} nothing={nothing} isInline />
    </Combobox>
  )
}

/** What the input of a field needs: its label or its name, its error. */
export type PickerInput = {
  label?: ReactNode
  'aria-label'?: string
  description?: ReactNode
  error?: ReactNode
  placeholder?: string | undefined
  withAsterisk?: boolean
  autoFocus?: boolean
  'data-autofocus'?: boolean
  'data-field'?: string
  className?: string
  size?: 'sm'
  inputWrapperOrder?: ('label' | 'input' | 'description' | 'error')[]
}

type PickerProps = {
  input: PickerInput
  items: Pick[]
  /** What is chosen now. */
  chosen: Pick[]
  isMulti?: boolean
  /** What is being typed. Undefined: nothing, and the field shows what is chosen. */
  text: string | undefined
  onType: (text: string) => void
  /** Whether the items answer what is typed now: Enter waits for it. */
  isCurrent?: boolean
  onPick: (value: string) => void
  /** Left out: something must stay chosen. */
  onClear?: (() => void) | undefined
  clearLabel?: string
  onRemove?: (value: string) => void
  onLeave?: () => void
  /** Said where there are no items. null: then there is no list. */
  nothing?: ReactNode
  startsOpen?: boolean
  /** A field that one chooses from, without typing. */
  isPlain?: boolean
}

/** A field whose value is chosen from a list. The list opens by a click, an arrow key or typing, never by itself. */
export function Picker(props: PickerProps) {
  const { input, items, chosen, isMulti = false, text, onType, isCurrent = true, onPick, onClear, onRemove } = props
  const field = useRef<HTMLInputElement>(null)
  const store = useCombobox({
    defaultOpened: props.startsOpen ?? false,
    onDropdownClose: () => {
      store.resetSelectedOption()
      // An option that is no longer there must not be named.
      field.current?.removeAttribute('aria-activedescendant')
    },
  })
  const isEntered = useRef(false)
  const isOpen = store.dropdownOpened
  const pick = (value: string) => {
    isEntered.current = false
    if (!isMulti) store.closeDropdown()
    onPick(value)
  }
  const first = items.find(({ isDisabled }) => !isDisabled)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another search begins at its first answer
  useEffect(() => {
    if (!isOpen || !text || !isCurrent) return store.resetSelectedOption()
    if (isEntered.current && first) return pick(first.value)
    selectFirst(store, field.current)
  }, [text, isCurrent, items.length, first?.value, isOpen])
  useSelectedOnFocus(field, isMulti ? '' : (chosen[0]?.label ?? ''), text)
  const press = (event: KeyboardEvent) => {
    const isSaving = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
    if (isSaving) return store.resetSelectedOption()
    isEntered.current = event.key === 'Enter' && isOpen && Boolean(text) && !isCurrent
    if (isEntered.current) event.preventDefault()
    if (event.key === 'Backspace' && isMulti && !text && chosen.length) onRemove?.(chosen.at(-1)!.value)
  }
  const shared = {
    onClick: () => store.openDropdown(),
    onFocus: ({ currentTarget }: FocusEvent<HTMLInputElement>) => text === undefined && currentTarget.select(),
    onBlur: () => {
      isEntered.current = false
      store.closeDropdown()
      props.onLeave?.()
    },
    onKeyDown: press,
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
      store.openDropdown()
      onType(currentTarget.value)
    },
  }
  const isFilled = chosen.length > 0 || Boolean(text)
  const end = isFilled && onClear ? <Clear {...props} field={field} /> : <Combobox.Chevron />
  const wrapper = {
    ...input,
    rightSection: end,
    rightSectionPointerEvents: onClear && isFilled ? 'all' : 'none',
  } as const
  return (
    <Combobox store={store} onOptionSubmit={pick} shadow="md" position="bottom-start" width="target">
      {isMulti ? (
        <ManyField {...props} input={wrapper} events={{ ...shared, value: text ?? '' }} fieldRef={field} />
      ) : (
        <Combobox.Target withExpandedAttribute targetType={props.isPlain ? 'button' : 'input'}>
          <TextInput
            {...wrapper}
            {...shared}
            ref={field}
            dir="auto"
            readOnly={props.isPlain ?? false}
            leftSection={text === undefined ? chosen[0]?.icon : undefined}
            value={text ?? chosen[0]?.label ?? ''}
          />
        </Combobox.Target>
      )}
      <Combobox.Dropdown className={css.dropdown} hidden={items.length === 0 && props.nothing === null}>
        <Options
          label={String(input.label ?? input['aria-label'] ?? '')}
          items={items}
          picked={pickedIn(items, chosen)}
          nothing={props.nothing}
        />
      </Combobox.Dropdown>
    </Combobox>
  )
}

/** Without any of them in the list, no room is kept for the sign. */
function pickedIn(items: Pick[], chosen: Pick[]) {
  const values = chosen.map(({ value }) => value)
  return items.some(({ value }) => values.includes(value)) ? values : undefined
}

type ManyProps = PickerProps & {
  input: PickerInput & { rightSection: ReactNode }
  events: object
  fieldRef: RefObject<HTMLInputElement | null>
}

/** What is chosen as pills, each of which can be taken out, and then the text. */
function ManyField({ input, events, fieldRef, chosen, onRemove }: ManyProps) {
  const id = useId()
  const { 'aria-label': name, autoFocus, placeholder, 'data-autofocus': isAutoFocus, ...wrapper } = input
  return (
    <Combobox.DropdownTarget>
      <PillsInput {...wrapper} id={id} onClick={() => fieldRef.current?.focus()}>
        <Pill.Group>
          {chosen.map(({ value, label }) => (
            <Pill
              key={value}
              dir="auto"
              withRemoveButton
              onRemove={() => onRemove?.(value)}
              removeButtonProps={{ 'aria-label': `Remove ${label}`, tabIndex: -1 }}
            >
              {label}
            </Pill>
          ))}
          <Combobox.EventsTarget withExpandedAttribute>
            <PillsInput.Field
              {...events}
              id={id}
              ref={fieldRef}
              aria-label={name}
              aria-invalid={Boolean(input.error) || undefined}
              autoFocus={autoFocus}
              data-autofocus={isAutoFocus}
              placeholder={chosen.length ? undefined : placeholder}
            />
          </Combobox.EventsTarget>
        </Pill.Group>
      </PillsInput>
    </Combobox.DropdownTarget>
  )
}

type ClearProps = PickerProps & { field: RefObject<HTMLInputElement | null> }

const Clear = ({ input, clearLabel, onClear, field }: ClearProps) => (
  <Input.ClearButton
    aria-label={clearLabel ?? `Clear ${String(input.label ?? input['aria-label'])}`}
    onClick={() => {
      onClear?.()
      field.current?.focus()
    }}
  />
)

/** The name of the chosen one may come after the focus: it is selected then, so that typing replaces it. */
function useSelectedOnFocus(field: RefObject<HTMLInputElement | null>, name: string, text: string | undefined) {
  useEffect(() => {
    if (name && text === undefined && field.current === document.activeElement) field.current?.select()
  }, [field, name, text])
}

/** The combobox names the chosen option only after an arrow key. */
function selectFirst(store: ComboboxStore, input: HTMLInputElement | null) {
  const first = store.selectFirstOption()
  if (first) input?.setAttribute('aria-activedescendant', first)
}

type OptionsProps = {
  label: string
  items: Pick[]
  picked: string[] | undefined
  nothing: ReactNode
  isInline?: boolean
}

function Options({ label, items, picked, nothing, isInline }: OptionsProps) {
  const groups = [...new Set(items.map(({ group }) => group))]
  return (
    <Combobox.Options className={css.options} data-inline={isInline || undefined} aria-label={label}>
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
      {items.length === 0 && <Combobox.Empty>{nothing ?? 'No match'}</Combobox.Empty>}
    </Combobox.Options>
  )
}

function Item({ item, picked }: { item: Pick; picked: string[] | undefined }) {
  const isPicked = picked?.includes(item.value)
  return (
    <Combobox.Option
      value={item.value}
      active={isPicked}
      disabled={item.isDisabled}
      className={css.option}
      data-new={item.isNew || undefined}
    >
      {item.isNew ? <Plus size={14} /> : picked && <span className={css.check}>{isPicked && <Check size={14} />}</span>}
      {item.icon}
      <span className={css.label} dir="auto">
        {item.shown ?? item.label}
      </span>
      {item.detail && <span className={css.detail}>{item.detail}</span>}
      {isPicked && <VisuallyHidden component="span">, chosen</VisuallyHidden>}
    </Combobox.Option>
  )
}
