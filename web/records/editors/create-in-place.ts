// A record that is created from its title alone, where another record is to be linked to it.
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../client/api.ts'
import { complain } from '../../ui/notices.tsx'
import { recordsChanged } from '../record-cache.ts'
import { type FieldShape, type ObjectShape, useSchema } from '../schema.ts'
import type { Titled } from '../titles.ts'
import { saidAndUndoable } from '../undo-toast.ts'
import type { Values } from '../update-record.ts'

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
