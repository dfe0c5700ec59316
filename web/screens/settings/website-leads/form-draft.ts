// The form while it is edited: its fields and the breaks between its steps in one list, so that either can be moved.
import { formLabel } from '../../../../contract/built-in/form-labels.ts'
import type { Draft, FormField, LeadSource } from './lead-source.ts'

export type FieldRow = FormField & { id: string; kind: 'field' }
export type BreakRow = { id: string; kind: 'break'; title: string }
export type DraftRow = FieldRow | BreakRow

type Copied = 'name' | 'title' | 'intro' | 'submit_label' | 'thank_you' | 'redirect_urls' | 'language'
export type FormDraft = Pick<LeadSource, Copied> & {
  rows: DraftRow[]
  first_title: string
  has_consent: boolean
  consent_text: string
  consent_required: boolean
  after: 'text' | 'redirect'
  redirect_url: string
  accent: string
  corners: number | string
  font: LeadSource['look']['font']
}

export const newBreak = (title = ''): BreakRow => ({ id: crypto.randomUUID(), kind: 'break', title })
export const newField = (field: string, label = ''): FieldRow => ({
  id: field,
  kind: 'field',
  field,
  label,
  placeholder: '',
  help: '',
  value: '',
  is_required: false,
  is_hidden: false,
  options: null,
  step: 1,
})

export function draftOf(source: LeadSource): FormDraft {
  const { name, title, intro, submit_label, thank_you, redirect_urls, language, consent, look } = source
  return {
    name,
    title,
    intro,
    submit_label,
    thank_you,
    redirect_urls,
    language,
    rows: rowsOf(source),
    first_title: source.step_titles[0] ?? '',
    has_consent: consent !== null,
    consent_text: consent?.text ?? '',
    consent_required: consent?.is_required ?? true,
    after: source.redirect_url ? 'redirect' : 'text',
    redirect_url: source.redirect_url ?? '',
    ...look,
  }
}

function rowsOf({ fields, step_titles }: LeadSource): DraftRow[] {
  const steps = Math.max(step_titles.length, ...fields.map(({ step }) => step), 1)
  return Array.from({ length: steps }, (_, index) => [
    ...(index ? [{ ...newBreak(step_titles[index]), id: `step ${index + 1}` }] : []),
    ...fields
      .filter(({ step }) => step === index + 1)
      .map((field): FieldRow => ({ ...field, id: field.field, kind: 'field' })),
  ]).flat()
}

type Field = Parameters<typeof formLabel>[0]

/** The rows with the usual labels in a language. What the company named itself stays. */
export const translated = (rows: DraftRow[], fieldOf: (key: string) => Field | undefined, language: string) =>
  rows.map((row) => {
    const field = row.kind === 'field' ? fieldOf(row.field) : undefined
    if (row.kind === 'break' || !field) return row
    const shown = row.label || field.label
    const label = formLabel(field, language, shown)
    return (label || field.label) === shown ? row : { ...row, label }
  })

/** The step that each row belongs to. */
export const stepsOf = (rows: DraftRow[]) => {
  let step = 1
  return rows.map(({ kind }) => (kind === 'break' ? ++step : step))
}

/** As the server takes it. */
export function settingsOf(draft: FormDraft) {
  const { rows, first_title, accent, corners, font } = draft
  const steps = stepsOf(rows)
  const breaks = rows.filter((row) => row.kind === 'break')
  const redirect_url = draft.after === 'redirect' ? draft.redirect_url.trim() : null
  const known = draft.redirect_urls
  return {
    name: draft.name,
    title: draft.title,
    intro: draft.intro,
    submit_label: draft.submit_label,
    thank_you: draft.thank_you,
    language: draft.language,
    fields: rows.flatMap((row, index) => {
      if (row.kind === 'break') return []
      const { id: _, kind: __, ...field } = row
      return [{ ...field, step: steps[index]! }]
    }),
    step_titles: breaks.length ? [first_title, ...breaks.map(({ title }) => title)] : [],
    consent: draft.has_consent ? { text: draft.consent_text, is_required: draft.consent_required } : null,
    redirect_url,
    redirect_urls: redirect_url && !known.includes(redirect_url) ? [...known, redirect_url] : known,
    look: { accent, corners: Number(corners), font },
  }
}

/** What the preview shows of it. What cannot be saved yet is left as it is stored. */
export function previewOf(draft: FormDraft): Draft {
  const { name: _, redirect_url: __, redirect_urls: ___, consent, look, ...shown } = settingsOf(draft)
  return {
    ...shown,
    consent: consent?.text.trim() ? consent : null,
    ...(/^#[0-9a-f]{6}$/i.test(look.accent) && { look }),
  }
}
