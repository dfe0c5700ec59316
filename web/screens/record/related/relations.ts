import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../client/api.ts'
import { builtInObject, isBuiltIn } from '../../../records/data/built-in.ts'
import { isDealLines, isDeals } from '../../../records/data/pipelines.ts'
import { recordsChanged } from '../../../records/data/record-cache.ts'
import type { RecordShape } from '../../../records/data/records-api.ts'
import { type FieldShape, type ObjectShape, useSchema } from '../../../records/data/schema.ts'
import { saidAndUndoable } from '../../../records/data/undo.ts'
import { isEmpty } from '../../../records/data/value-text.ts'
import { complain } from '../../../ui/basics/notices.tsx'

/** `out`: a field of this record leads there. `in`: a field of theirs leads here. */
export type Relation = {
  way: 'out' | 'in'
  field: FieldShape
  /** Whose records they are; nothing: of any object. */
  other: ObjectShape | undefined
  label: string
}

/** Every way in which records of this object are related, both directions. */
export function relationsOf(object: ObjectShape, objects: ObjectShape[]): Relation[] {
  const readable = objects.filter(({ rights }) => rights.read !== 'none')
  const out = object.fields.filter(isRelation).map((field): Relation => {
    const [only, ...more] = field.to_objects ?? []
    const other = more.length ? undefined : readable.find(({ key }) => key === only)
    return { way: 'out', field, other, label: field.label }
  })
  const inward = readable
    .filter((other) => !isBuiltIn(other, ...aboutNames) && !(isDeals(object) && isDealLines(other)))
    .flatMap((other) => {
      const fields = other.fields.filter((field) => isRelation(field) && leadsTo(field, object.key))
      return fields.map((field): Relation => {
        const isPlain = fields.length === 1 && other.key !== object.key
        return {
          way: 'in',
          field,
          other,
          label: isPlain ? other.label_plural : `${other.label_plural} (${field.label})`,
        }
      })
    })
  return [...out, ...inward]
}

export const relationKey = ({ way, field, other }: Relation) => `${way} ${other?.key ?? ''} ${field.key}`

const isRelation = ({ type }: FieldShape) => type === 'relation'
const leadsTo = ({ to_objects }: FieldShape, object: string) => !to_objects?.length || to_objects.includes(object)

/** The records whose field leads to this one, as a filter. */
export const leadingTo = ({ key, is_multi }: FieldShape, id: string) =>
  is_multi ? `\`${key}\` has any ("${id}")` : `\`${key}\` = "${id}"`

// What to say of a record in one line, beside its title.

const most = 3
const candidates = 7
const weights: Partial<Record<FieldShape['type'], number>> = {
  money: 6,
  email: 5,
  select: 4,
  text: 3,
  date: 2,
  phone: 1,
}
const partsOfTitle = new Set(['title', 'name', 'first_name', 'last_name'])

/** The fields that tell most, best first. A choice without a choice tells nothing. */
export const tellingFields = (object: ObjectShape) =>
  object.fields
    .filter(({ key, type, options }) => weights[type] && !partsOfTitle.has(key) && (!options || options.length > 1))
    .filter(({ is_read_only }) => !is_read_only)
    .sort((a, b) => weightOf(b) - weightOf(a))
    .slice(0, candidates)

const weightOf = ({ type, options }: FieldShape) => (options?.some(({ kind }) => kind) ? 10 : (weights[type] ?? 0))

export const factsOf = (object: ObjectShape, record: RecordShape | undefined) =>
  record
    ? tellingFields(object)
        .filter(({ key }) => !isEmpty(record[key]))
        .slice(0, most)
        .map((field) => ({
          field,
          value: Array.isArray(record[field.key]) ? [record[field.key]].flat()[0] : record[field.key],
        }))
    : []

/** Links and unlinks a record through one relation, from either side. */
export function useLinks(object: ObjectShape, record: RecordShape, { way, field, other }: Relation) {
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: ({ id, isOn }: { id: string; isOn: boolean }) => {
      const send = isOn ? api.linkRecords : api.unlinkRecords
      return way === 'out'
        ? send({ object: object.key, id: record.id, field: field.key, to: [id] })
        : send({ object: other!.key, id, field: field.key, to: [record.id] })
    },
    onSuccess: ({ change_set_id }, { isOn }) => saidAndUndoable(isOn ? 'Linked.' : 'Unlinked.', change_set_id),
    onError: (error, { isOn }) => complain(isOn ? 'This was not linked' : 'This was not unlinked', error),
    onSettled: () => Promise.all([object.key, other?.key ?? object.key].map((one) => recordsChanged(client, one))),
  })
  return {
    link: (id: string) => change.mutate({ id, isOn: true }),
    unlink: (id: string) => change.mutate({ id, isOn: false }),
    pendingId: change.isPending ? change.variables.id : undefined,
  }
}

/** These have sections of their own on the page, as the products of a deal have. */
const aboutNames = ['notes', 'tasks', 'activities'] as const
export type AboutObjects = Partial<Record<(typeof aboutNames)[number], ObjectShape>>

/** The objects whose records can be about this one, without those that are archived or not for this user. */
export function useAboutObjects(object: ObjectShape): AboutObjects {
  const objects = useSchema()
  if (isBuiltIn(object, ...aboutNames)) return {}
  const found = aboutNames.flatMap((name) => {
    const about = builtInObject(objects, name)
    return about && about.rights.read !== 'none' && about.byKey.has('about') ? [[name, about] as const] : []
  })
  return Object.fromEntries(found)
}
