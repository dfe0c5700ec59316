// Text typed for a record or a user that nothing was chosen for: it stays in the field, as the value, until it is
// corrected. `faultOf` refuses it, so it is never sent.

import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { isId } from '../../../contract/ids.ts'
import { api } from '../../client/api.ts'
import { complain } from '../../ui/notices.tsx'
import { recordsChanged } from '../record-cache.ts'
import { idOf, relatedIn, type Titled } from '../records-api.ts'
import { type FieldShape, type ObjectShape, useSchema } from '../schema.ts'
import { saidAndUndoable } from '../undo.tsx'
import type { Values } from '../update-record.ts'
import { unmatchedText } from '../value-fault.ts'
import { type EditorProps, useSelectedName, useTypedAtFirst } from './editor.ts'

/** The text of a searchable field, and whether its list is open. */
export function useTypedText(props: EditorProps) {
  const { field, value, typed, onChange, isCell, error } = props
  const unmatched = relatedIn(value)
    .map(idOf)
    .find((one) => !isId(one))
  const [text, setText] = useState(typed ?? unmatched ?? '')
  const [isOpen, setOpen] = useState(isCell)
  const [isLeft, setLeft] = useState(false)
  const { ref, onInput } = useSelectedName(props, text)
  const isTyping = useRef(false)
  const ids = relatedIn(value).map(idOf).filter(isId)
  const type = (next: string) => {
    setText(next)
    const left = next.trim()
    if (field.is_multi) onChange(left ? [...ids, left] : ids)
    else onChange(left || null)
  }
  useTypedAtFirst(typed, type)
  return {
    ids,
    text,
    setText,
    setOpen,
    input: {
      ref,
      searchValue: text,
      dropdownOpened: isOpen,
      onDropdownOpen: () => setOpen(true),
      onDropdownClose: () => setOpen(false),
      error: error ?? (isLeft && unmatched && !isOpen ? unmatchedText(unmatched) : undefined),
      onInput: () => {
        onInput()
        isTyping.current = true
      },
      // The field itself empties its text when it is left.
      onSearchChange: (next: string) => {
        if (isTyping.current) type(next)
        else if (unmatched === undefined || next !== '') setText(next)
        isTyping.current = false
      },
      onBlur: () => setLeft(true),
    },
  }
}

// A record that is created from its title alone, where another record is to be linked to it.

/** The objects a field links to of which a new record needs nothing but a title. */
export function useCreatable({ to_objects }: FieldShape) {
  const objects = useSchema()
  return objects.filter(
    (object) => object.rights.create && to_objects?.includes(object.key) && titleValues(object, 'title') !== undefined,
  )
}

/** Creates it and tells its ID; undefined if it was refused, which a notice says. */
export function useCreateInPlace() {
  const client = useQueryClient()
  return async (object: ObjectShape, title: string) => {
    try {
      const { records, change_set_id } = await api.createRecords({
        object: object.key,
        records: [titleValues(object, title)!],
        return: 'record',
      })
      const { id } = records[0]!
      client.setQueryData<Titled>(['record-titles', id], { id, object: object.key, title })
      void recordsChanged(client, object.key)
      saidAndUndoable(`${title} created.`, change_set_id)
      return id
    } catch (error) {
      complain(`${title} was not created`, error)
      return undefined
    }
  }
}

function titleValues({ fields, titleField, byKey }: ObjectShape, title: string): Values | undefined {
  const isNamed = !titleField && byKey.has('first_name') && byKey.has('last_name')
  const own = titleField?.type === 'text' ? [titleField.key] : isNamed ? ['first_name', 'last_name'] : []
  const isEnough = fields.every(
    ({ key, is_required, is_read_only, default_value }) =>
      !is_required || is_read_only || own.includes(key) || default_value !== null,
  )
  if (!own.length || !isEnough) return undefined
  if (!isNamed) return { [own[0]!]: title }
  const words = title.split(/\s+/)
  return words.length === 1
    ? { first_name: title }
    : { first_name: words.slice(0, -1).join(' '), last_name: words.at(-1) }
}
