// Which field a column of a file is probably meant for: by its header or, failing that, by what is in it.
import { fold } from '../../../contract/filter/index.ts'
import { inSentence } from '../../../contract/shared/in-sentence.ts'
import type { Field, ObjectSchema } from '../schema/schema.ts'
import { systemFields } from '../schema/system-fields.ts'
import { fieldCalled, fullName, hasFullName, isIgnored, isTitleHeader, titleTarget, writableFields } from './mapping.ts'

export type Suggestion = { field: string | null; suggested_by: 'header' | 'content' | null; note: string | null }

/** What other products and people call our built-in fields, folded and without spaces. */
const synonyms: Record<string, string[]> = {
  first_name: ['firstname', 'givenname', 'forename', 'vorname', 'prenom', 'nombre'],
  last_name: ['lastname', 'surname', 'familyname', 'nachname', 'nomdefamille', 'apellido', 'apellidos'],
  emails: [
    'email',
    'emailaddress',
    'emailaddresses',
    'email1',
    'email2',
    'workemail',
    'primaryemail',
    'mail',
    'emailadresse',
    'correo',
    'courriel',
  ],
  phones: [
    'phone',
    'phonenumber',
    'phonenumbers',
    'telephone',
    'tel',
    'mobile',
    'mobilephone',
    'workphone',
    'cell',
    'telefon',
    'telefonnummer',
    'handy',
    'telefono',
  ],
  phone: ['phonenumber', 'telephone', 'tel', 'telefon', 'telefono'],
  organization: [
    'company',
    'companyname',
    'organisation',
    'organizationname',
    'account',
    'accountname',
    'employer',
    'firma',
    'unternehmen',
    'entreprise',
    'empresa',
  ],
  job_title: ['title', 'position', 'role', 'jobposition', 'titel', 'funktion', 'poste', 'cargo'],
  name: [
    'companyname',
    'company',
    'organization',
    'organisation',
    'account',
    'accountname',
    'dealname',
    'title',
    'firma',
    'unternehmen',
  ],
  domains: ['domain', 'companydomain', 'companydomainname', 'websitedomain'],
  website: ['url', 'web', 'homepage', 'site', 'webseite'],
  linkedin: ['linkedinurl', 'linkedinprofile', 'profileurl'],
  country: ['countryregion', 'land', 'pays', 'pais'],
  city: ['town', 'stadt', 'ort', 'ville', 'ciudad'],
  birthday: ['birthdate', 'dateofbirth', 'dob', 'geburtstag', 'geburtsdatum'],
  notes_text: ['notes', 'note', 'comment', 'comments', 'description', 'notizen', 'bemerkung'],
  tags: ['labels', 'label', 'tag', 'categories', 'groupmembership', 'schlagworte'],
  source: ['leadsource', 'quelle'],
  owner: ['assignedto', 'recordowner', 'contactowner', 'accountowner', 'dealowner', 'salesrep', 'besitzer'],
  amount: ['value', 'dealvalue', 'dealamount', 'revenue', 'betrag', 'montant'],
  stage: ['dealstage', 'pipelinestage', 'phase'],
  industry: ['sector', 'branche'],
  size: ['employees', 'numberofemployees', 'headcount', 'mitarbeiter'],
  address: ['streetaddress', 'street', 'postaladdress', 'adresse', 'anschrift'],
  [fullName]: ['name', 'fullname', 'displayname', 'contactname', 'contact', 'person', 'kontakt'],
}

const plain = (text: string) => fold(text).replace(/[^\p{L}\p{N}]/gu, '')

export function suggestFields(object: ObjectSchema, columns: string[], samples: string[][]): Suggestion[] {
  const taken = new Set<string>()
  const suggest = (field: Pick<Field, 'key' | 'is_multi'>, suggested_by: 'header' | 'content'): Suggestion => {
    taken.add(field.key)
    return { field: field.key, suggested_by, note: null }
  }
  const isFree = ({ key, is_multi }: Pick<Field, 'key' | 'is_multi'>) => is_multi || !taken.has(key)
  // A column that is called exactly like a field gets it, whatever the others could be meant for.
  const exact = columns.map((column) => {
    if (isIgnored(column)) return skipped('Columns whose names start with _ are not imported')
    const field = fieldsNamed(object, column).find(isFree)
    return field ? suggest(field, 'header') : undefined
  })
  const byHeader = columns.map((column, i) => {
    const field = exact[i] ? undefined : fieldsKnownAs(object, column).find(isFree)
    return field ? suggest(field, 'header') : exact[i]
  })
  return byHeader.map((found, i) => {
    if (found)
      return withoutDoubleName(object, { ...found, note: found.note ?? aboutEmpty(object, found, samples[i]) }, taken)
    if (isReadOnly(object, columns[i]!)) return skipped('This field is read-only')
    const type = looksLike(samples[i] ?? [])
    const fields = type ? writableFields(object).filter((field) => field.type === type && isFree(field)) : []
    return fields.length === 1 || (fields[0]?.is_multi && !taken.has(fields[0].key))
      ? suggest(fields[0]!, 'content')
      : nothing
  })
}

const nothing: Suggestion = { field: null, suggested_by: null, note: null }
const skipped = (note: string): Suggestion => ({ ...nothing, note })

/** Unlike other fields, which get their default. */
function aboutEmpty(object: ObjectSchema, { field: key }: Suggestion, cells: string[] = []) {
  const field = key === null ? undefined : fieldCalled(object, key)
  const hasEmpty = field?.type === 'user' && cells.some((cell) => !cell.trim())
  return hasEmpty ? `New records with an empty cell here get no ${inSentence(field.label)}` : null
}

/** First and last name say more than the full name. */
const withoutDoubleName = (object: ObjectSchema, found: Suggestion, taken: Set<string>): Suggestion =>
  found.field === fullName && !object.byKey.has(fullName) && (taken.has('first_name') || taken.has('last_name'))
    ? skipped('The first and last name columns are used instead')
    : found

type Named = Pick<Field, 'key' | 'label' | 'is_multi' | 'built_in_key'>
const wordOf = (header: string) => plain(header.replace(/ \(\d+\)$/, ''))
const all = (object: ObjectSchema): Named[] => [
  { key: 'id', label: 'Id', is_multi: false, built_in_key: 'id' },
  ...writableFields(object),
  ...(hasFullName(object) ? [{ key: fullName, label: 'Full name', is_multi: false, built_in_key: fullName }] : []),
]

/** By key, then by label; then by the name of the object, which is the title of a record in lists and exports. */
function fieldsNamed(object: ObjectSchema, header: string): Named[] {
  const word = wordOf(header)
  const title = isTitleHeader(object, header) ? titleTarget(object) : undefined
  return [
    // A column called Title is a job title, unless it is written exactly like our own.
    ...all(object).filter(({ key }) => key === header || (key !== fullName && plain(key) === word)),
    ...all(object).filter(({ label }) => plain(label) === word),
    ...all(object).filter(({ key }) => key === title),
  ]
}

/** What others call it. */
const fieldsKnownAs = (object: ObjectSchema, header: string) =>
  all(object).filter((field) => synonyms[field.built_in_key ?? field.key]?.includes(wordOf(header)))

/** Shown so that a file that was exported can be imported again without a word about its other columns. */
export function isReadOnly(object: ObjectSchema, header: string) {
  const word = plain(header)
  const unwritable = object.fields.filter(({ is_read_only }) => is_read_only)
  const system = [...systemFields.filter(({ key }) => key !== 'owner'), { key: 'version', label: 'Version' }]
  return [...unwritable, ...system].some(({ key, label }) => plain(key) === word || plain(label) === word)
}

const kinds: [type: Field['type'], pattern: RegExp][] = [
  ['email', /^[^\s@]+@[^\s@]+\.[^\s@]+$/],
  ['url', /^https?:\/\/\S+$/i],
  // Before phone numbers, which may look like dates with leading zeros.
  ['date', /^(\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./-]\d{1,2}[./-]\d{2,4})$/],
  ['phone', /^(\+|00|\(?0)[\d\s()/.-]{6,20}$/],
]

/** Longer cells are none of these. Some patterns take quadratic time. */
const longestValue = 2000

/** What nearly all filled cells look like. */
export function looksLike(samples: string[]): Field['type'] | undefined {
  const filled = samples.map((cell) => cell.trim()).filter(Boolean)
  if (!filled.length) return undefined
  const short = filled.filter((cell) => cell.length <= longestValue)
  return kinds.find(([, pattern]) => short.filter((cell) => pattern.test(cell)).length >= filled.length * 0.8)?.[0]
}
