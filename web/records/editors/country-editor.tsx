import { Autocomplete } from '@mantine/core'
import { useRef, useState } from 'react'
import { countryOf, findCountries } from '../countries.ts'
import { asCountry, isEmpty } from '../value-text.ts'
import { type EditorProps, inputProps, selectUnlessTyped } from './editor.ts'

/** A country from the list, found by its name or code. Other text is kept as it is. */
export function CountryEditor(props: EditorProps) {
  const { value, onChange, onDone, isCell, typed } = props
  const [text, setText] = useState(typed ?? (isEmpty(value) ? '' : asCountry(value)))
  const [isTyped, setTyped] = useState(typed !== undefined)
  // Whoever empties the field means nothing, and Enter would take the first of a list.
  const isEmptied = isTyped && text.trim() === ''
  const found = isEmptied ? [] : findCountries(isTyped ? text : '')
  // Of a name that was picked the list tells twice: that it was, and only then what it is.
  const isPicked = useRef(false)
  const write = (next: string) => {
    setText(next)
    setTyped(true)
    onChange(countryOf(next))
    if (isPicked.current) onDone(countryOf(next))
    isPicked.current = false
  }
  return (
    <Autocomplete
      {...inputProps(props)}
      data={found.map(({ name }) => name)}
      filter={({ options }) => options}
      autoComplete="off"
      dir="auto"
      value={text}
      selectFirstOptionOnChange
      defaultDropdownOpened={isCell}
      comboboxProps={{ shadow: 'md' }}
      onFocus={isCell ? selectUnlessTyped(typed) : undefined}
      onChange={write}
      onOptionSubmit={() => {
        isPicked.current = true
      }}
      onKeyDown={(event) => {
        const [first] = found
        if (event.key === 'Tab' && isTyped && first) write(first.name)
      }}
    />
  )
}
