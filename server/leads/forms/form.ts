// A form as its visitors see it: labels and choices that were chosen for it, and nothing else of the company.
import type { FieldType } from '../../../contract/built-in/field-types.ts'
import type { leadForms } from '../../../contract/lead-forms.ts'
import type { FormField } from '../../../contract/lead-sources.ts'
import type { Output } from '../../../contract/operation.ts'
import { own } from '../../../contract/shared/own.ts'
import type { Field, Schema } from '../../engine/schema/schema.ts'
import { sha256 } from '../../platform/secrets.ts'
import { formIdOf } from '../../website/public-id.ts'
import { consentHtml } from './form-html.ts'
import { textsIn } from './form-texts.ts'
import type { Settings, SourceRow } from './source.ts'

export type PublicForm = Output<typeof leadForms.getForm>
export type PublicField = PublicForm['fields'][number]

/** Fields that a form can have. A relation or a user is plain text: choices would show names to anyone. */
const inputs: Partial<Record<FieldType, PublicField['type']>> = {
  text: 'text',
  long_text: 'textarea',
  email: 'email',
  phone: 'tel',
  url: 'url',
  number: 'number',
  money: 'text',
  date: 'date',
  datetime: 'datetime-local',
  boolean: 'checkbox',
  select: 'select',
  multi_select: 'multiselect',
  country: 'text',
  relation: 'text',
  user: 'text',
}

const autocomplete: Record<string, string> = {
  first_name: 'given-name',
  last_name: 'family-name',
  email: 'email',
  phone: 'tel',
  company_name: 'organization',
}

export const canBeInForm = ({ type, is_read_only }: Field) => !is_read_only && own(inputs, type) !== undefined

/** Fields that were archived since are left out. */
export function fieldsOf(schema: Schema, { fields }: Pick<Settings, 'fields'>): PublicField[] {
  const leads = schema.builtIn.get('leads')
  return fields.flatMap((wanted) => {
    const field = leads?.byKey.get(wanted.field)
    return field && canBeInForm(field) ? [publicField(field, wanted)] : []
  })
}

function publicField(field: Field, wanted: FormField): PublicField {
  const { label, placeholder, help, is_required, is_hidden, value, options, step } = wanted
  const offered = (field.options ?? []).filter(({ key }) => !options || options.includes(key))
  return {
    name: field.key,
    type: is_hidden ? 'hidden' : inputs[field.type]!,
    label: label || field.label,
    placeholder,
    help,
    is_required: is_required && !is_hidden,
    value,
    autocomplete: own(autocomplete, field.built_in_key ?? '') ?? 'off',
    choices: is_hidden ? [] : offered.map(({ key, label }) => ({ value: key, label })),
    step,
  }
}

export function publicForm(schema: Schema, source: SourceRow, token: string): PublicForm {
  const { settings, consent_version: version } = source
  const { title, intro, consent, look, step_titles, language } = settings
  const texts = textsIn(language)
  return {
    form_id: formIdOf(source.company_id, source.id),
    language,
    title,
    intro,
    fields: fieldsOf(schema, settings),
    step_titles,
    consent: consent && version ? { version, html: consentHtml(consent.text), is_required: consent.is_required } : null,
    honeypot: honeypotOf(source.id),
    look,
    texts: {
      ...texts,
      submit: settings.submit_label || texts.submit,
      thank_you: settings.thank_you || texts.thank_you,
    },
    token,
  }
}

/** Different for each form, so that no list of names to leave out works everywhere. */
export const honeypotOf = (source_id: string) => `extra_${sha256(`honeypot ${source_id}`).toString('hex').slice(0, 8)}`
