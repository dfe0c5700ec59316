// The values of a lead from what was sent. What cannot be used is left out and reported, so that the lead is not lost.
import { own } from '../../../contract/shared/own.ts'
import { resolveReferences } from '../../engine/names/resolve-references.ts'
import { builtInInUse, type Field } from '../../engine/schema/schema.ts'
import type { Target } from '../../engine/schema/target.ts'
import type { Values } from '../../engine/values/from-row.ts'
import { readValues } from '../../engine/values/read-values.ts'
import { readingFor } from '../../engine/write/input.ts'
import { canBeInForm } from './form.ts'
import type { SourceRow } from './source.ts'
import type { Submission } from './submission.ts'

export async function leadValues(target: Target, source: SourceRow, submission: Submission) {
  const sent = sentValues(target, source, submission)
  const given = givenBySource(target, source, submission)
  // What the form says is more exact than what the page's address says; tags of both count.
  const tags = builtInInUse(target.object, 'tags')?.key ?? ''
  const allTags = [...new Set([given[tags] ?? [], sent[tags] ?? []].flat())]
  const known = { ...given, ...sent, ...(allTags.length && { [tags]: allTags }) }
  const path = 'values'
  const { values, faults } = readValues(target.schema, target.object, known, path, readingFor(target))
  const resolved = await resolveReferences(target, [{ values, path }])
  const wrong = [...faults, ...resolved.faults]
  const isLeftOut = (key: string) => wrong.some((fault) => fault.path.split('.')[1] === key)
  const usable = Object.entries(resolved.values[0]!).filter(([key, value]) => !isLeftOut(key) && value !== null)
  const reasons = wrong.map(({ path, message }) => `${labelOf(target, path.split('.')[1]!)}: ${message}`)
  const leftOut = Object.fromEntries(Object.entries(sent).filter(([key]) => isLeftOut(key)))
  return { values: Object.fromEntries(usable) as Values, reasons: [...new Set(reasons)], leftOut }
}

const labelOf = ({ object }: Target, key: string) => object.byKey.get(key)?.label ?? key

/** In the order of the form, which can only set its own fields. A server can set every field that people can write. */
function sentValues({ object }: Target, { settings }: SourceRow, { body, via }: Submission): Values {
  const inForm = settings.fields.map(({ field }) => field)
  const keys = via === 'api' ? [...new Set([...inForm, ...Object.keys(body.values)])] : inForm
  const entries = keys.flatMap((key) => {
    const [field, value] = [object.byKey.get(key), own(body.values, key)]
    return field && canBeInForm(field) && !isBlank(value) ? [[key, typed(field, value)] as const] : []
  })
  return Object.fromEntries(entries)
}

const isBlank = (value: unknown) => [value].flat().every((one) => String(one ?? '').trim() === '')

/** Forms send text only. */
function typed({ type, is_multi }: Field, value: unknown): unknown {
  const list = [value].flat().filter((one) => !isBlank(one))
  if (is_multi || type === 'multi_select') return list
  const [first] = list
  if (typeof first !== 'string') return first
  if (type === 'boolean') return /^(true|on|yes|1)$/i.test(first.trim())
  if (type === 'number') return Number(first.replace(',', '.'))
  return first.trim()
}

function givenBySource({ object }: Target, source: SourceRow, { page, referrer, ...submission }: Submission): Values {
  const { tags, source_label } = source.settings
  const utm = { ...submission.first_utm, ...submission.last_utm }
  const given: Record<string, unknown> = {
    source: source_label || source.name,
    campaign: utm.campaign,
    utm_source: utm.source,
    utm_medium: utm.medium,
    utm_campaign: utm.campaign,
    utm_term: utm.term,
    utm_content: utm.content,
    page,
    referrer,
    consent: submission.consent_version ? true : undefined,
    tags: tags.length ? tags : undefined,
  }
  return Object.fromEntries(
    Object.entries(given).flatMap(([key, value]) => {
      const field = builtInInUse(object, key)
      return field && value ? [[field.key, value]] : []
    }),
  )
}

/** What a note about another submission says. */
export const noteText = (target: Target, source: SourceRow, submission: Submission) =>
  listOf(target, `Sent again via ${sourceNameOf(source)}:`, sentValues(target, source, submission))

/** What a note about values says that the lead could not take. */
export const leftOutText = (target: Target, source: SourceRow, leftOut: Values) =>
  listOf(target, `Also sent via ${sourceNameOf(source)}, but not valid:`, leftOut)

const sourceNameOf = ({ name, settings }: SourceRow) => settings.source_label || name

function listOf(target: Target, title: string, values: Values) {
  const lines = Object.entries(values).map(
    ([key, value]) => `- **${labelOf(target, key)}**: ${onOneLine(String([value].flat().join(', ')))}`,
  )
  return [title, '', ...lines].join('\n').slice(0, 20_000)
}

export const onOneLine = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .join(' ')

export const ofBuiltIn = ({ object }: Target, values: Values, key: string) => {
  const field = builtInInUse(object, key)
  return field && own(values, field.key)
}
