import { CloseButton, TextInput } from '@mantine/core'
import { Search } from 'lucide-react'
import { useRef } from 'react'
import type { ObjectShape } from '../../../records/data/schema.ts'
import { pluralOf } from '../../../records/data/value-text.ts'
import type { ListState } from '../../../records/lists/use-list-state.ts'
import { useKeys } from '../../../ui/basics/keys.ts'
import { useAddressText } from '../../../ui/form/use-address-text.ts'
import css from './list.module.css'

const pauseMs = 150

/** Finds records of this list by what they contain, besides its filter. `/` leads here. */
export function SearchBox({ object, state }: { object: ObjectShape; state: ListState }) {
  const input = useRef<HTMLInputElement>(null)
  const { text, type, sendNow } = useAddressText(state.q, state.search, pauseMs)
  useKeys({ '/': () => input.current?.select() })
  const label = `Search ${pluralOf(object)}`
  return (
    <TextInput
      ref={input}
      type="search"
      size="xs"
      className={css.search}
      aria-label={label}
      placeholder={label}
      maxLength={200}
      leftSection={<Search size={14} />}
      rightSection={
        text !== '' && (
          <CloseButton
            size="xs"
            aria-label="Clear search"
            onClick={() => {
              type('')
              input.current?.focus()
            }}
          />
        )
      }
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && text) {
          event.stopPropagation()
          type('')
        }
        if (event.key !== 'ArrowDown' && event.key !== 'Enter') return
        event.preventDefault()
        if (event.key === 'Enter') sendNow()
        document.querySelector<HTMLElement>('[role="grid"]')?.focus()
      }}
    />
  )
}
