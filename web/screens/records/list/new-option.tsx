import { ActionIcon, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { fold } from '../../../../contract/filter/index.ts'
import { api } from '../../../client/api.ts'
import { useSignedIn } from '../../../client/session.ts'
import { type FieldShape, schemaQuery } from '../../../records/schema.ts'
import { reasonOf } from '../../../ui/form-errors.ts'

type Props = { object: string; field: FieldShape; onCreated: (key: string) => void }

/** Adds an option, such as a tag, without leaving what one is doing. For those who manage fields. */
export function NewOption({ object, field, onCreated }: Props) {
  const { may } = useSignedIn()
  const client = useQueryClient()
  const [label, setLabel] = useState('')
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (label: string) => {
      const known = field.options ?? []
      const same = known.find((option) => fold(option.label) === fold(label))
      if (same) return same.key
      const { options } = await api.updateField({ object, field: field.key, options: [...known, { label }] })
      await client.invalidateQueries({ queryKey: schemaQuery.queryKey })
      return options!.at(-1)!.key
    },
    onSuccess: (key) => {
      setLabel('')
      onCreated(key)
    },
  })
  if (!may('objects.manage')) return null
  const create = () => label.trim() && mutate(label.trim())
  const name = `New option of ${field.label}`
  return (
    <TextInput
      size="xs"
      aria-label={name}
      placeholder={field.key === 'tags' ? 'New tag' : 'New option'}
      error={error ? reasonOf(error) : undefined}
      disabled={isPending}
      value={label}
      onChange={(event) => setLabel(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        create()
      }}
      rightSection={
        <ActionIcon
          variant="subtle"
          size={24}
          aria-label={`Create ${label.trim() || 'option'}`}
          disabled={!label.trim()}
          onClick={create}
        >
          <Plus size={14} aria-hidden="true" />
        </ActionIcon>
      }
    />
  )
}
