// Follows a path such as organization.country from object to object.
import { inSentence } from '../shared/in-sentence.ts'
import { own } from '../shared/own.ts'
import { type Fault, type Faults, listed, type Spot, shortened, suggest, suggesting } from './faults.ts'
import { type FilterField, type FilterObject, type FilterObjects, operatorsOf, partsOf } from './fields.ts'
import { namesOf } from './names.ts'
import { splitPath } from './path.ts'
import type { Place } from './places.ts'

/** One step of a path: the field, and its objects. More than one after a relation that links to several objects. */
export type Step = { objects: string[]; field: FilterField }

const mostSteps = 3

type Within = Partial<Faults> & { objects: FilterObjects }

/** Every step of the path except the last must link to a single record. */
export function checkPath(path: string, from: string[], within: Within, place: Place): Step[] | Faults {
  const { objects } = within
  const names = splitPath(path)
  if (names.length > mostSteps) return { faults: [tooManySteps(path, place)] }
  const steps: Step[] = []
  let here = from
  for (const [i, name] of names.entries()) {
    const spot = place.names[i]!
    const field = fieldOf(name, here, objects, place.notation)
    if ('candidates' in field) return { faults: [unknownField(name, here, within, field.candidates, spot)] }
    steps.push({ objects: here, field })
    if (i === names.length - 1) break
    const part = i === names.length - 2 && partsOf(field).find(({ key }) => key === names[i + 1]!.toLowerCase())
    if (part) return [...steps, { objects: here, field: part }]
    const fault = noWayOn(field, names.slice(i + 1), spot)
    if (fault) return { faults: [fault] }
    here = targetsOf(field, objects)
    if (here.length === 0) return { faults: [unreadable(field, spot)] }
  }
  return steps
}

/** The objects that a relation links to, limited to those the caller may read. */
export const targetsOf = (field: FilterField, objects: FilterObjects) =>
  field.to?.length ? field.to.filter((key) => Object.hasOwn(objects, key)) : Object.keys(objects)

/** The field with this name. With several objects, only fields that all of them have with the same type count. */
function fieldOf(name: string, from: string[], objects: FilterObjects, notation: Place['notation']) {
  const candidates = fieldsOf(from, objects)
  const byKey = candidates.find((field) => field.key === name)
  if (byKey) return byKey
  const alike = notation === 'text' ? namesOf(candidates)(name) : []
  return alike.length === 1 ? alike[0]! : { candidates }
}

const known = new WeakMap<FilterObjects, Map<string, FilterField[]>>()

/** The fields that all of these objects have. */
export function fieldsOf(from: string[], objects: FilterObjects): FilterField[] {
  const fields = known.get(objects) ?? new Map<string, FilterField[]>()
  known.set(objects, fields)
  const found = fields.get(from.join()) ?? sharedFields(from.flatMap((key) => objects[key] ?? []))
  fields.set(from.join(), found)
  return found
}

function sharedFields([first, ...others]: FilterObject[]): FilterField[] {
  if (!first || others.length === 0) return first?.fields ?? []
  return first.fields.flatMap((field) => {
    const same = others.map((object) => object.fields.find((other) => isAlike(field, other)))
    if (!same.every((other) => other !== undefined)) return []
    const options = [field, ...same].flatMap((one) => one.options ?? [])
    return field.options ? { ...field, options: [...new Map(options.map((o) => [o.key, o])).values()] } : field
  })
}

const isAlike = (a: FilterField, b: FilterField) =>
  a.key === b.key &&
  a.type === b.type &&
  !a.many === !b.many &&
  !a.multi === !b.multi &&
  String(a.to ?? []) === String(b.to ?? [])

function noWayOn(field: FilterField, rest: string[], spot: Spot): Fault | undefined {
  if (field.type === 'relation' && !field.many) return undefined
  const path = rest.join('.')
  const message =
    field.type === 'relation'
      ? `${field.key} links to many records. Use any(${field.key}: ${path} …) or none(${field.key}: ${path} …).`
      : field.type === 'user'
        ? `${field.key} is a user. Compare it with a name: ${field.key} = "Ada Lovelace", or use ${field.key}.name.`
        : field.type === 'email'
          ? `Use ${field.key}.domain, or compare ${field.key} itself.`
          : `${field.key} is not a relation, so .${path} cannot follow it. Compare ${field.key} itself.`
  return { ...spot, found: field.key, message, nearest: [], operators: operatorsOf(field) }
}

const tooManySteps = (path: string, place: Place): Fault => ({
  ...place.names[mostSteps],
  found: shortened(path),
  message: `A path can have at most ${mostSteps} steps, such as person.organization.country.`,
  nearest: [],
})

export const unreadable = (field: FilterField, spot: Spot): Fault => ({
  ...spot,
  found: field.key,
  message: `You do not have access to the records that ${field.key} links to. Remove this condition.`,
  nearest: [],
})

function unknownField(name: string, from: string[], within: Within, known: FilterField[], spot: Spot): Fault {
  const { objects } = within
  const found = shortened(name)
  if (from.some((key) => own(objects, key)?.archived?.includes(name)))
    return { ...spot, found, message: `The field ${found} is archived. An Admin can restore it.`, nearest: [] }
  const nearest = suggest(within, name, known)
  const labels = from.map((key) => inSentence(own(objects, key)?.label ?? key))
  const where = from.length > 1 ? `that ${listed(labels.slice(0, 5), 'and')} share` : `on ${labels[0]}`
  return { ...spot, found, ...suggesting(`There is no field ${found} ${where}.`, nearest) }
}
