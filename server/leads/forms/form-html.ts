// A form as plain HTML, for pages without scripts.
import { escapeHtml } from '../../kernel/html.ts'
import type { PublicField } from './form.ts'
import { textsIn } from './form-texts.ts'
import type { Settings } from './source.ts'

type Form = {
  action: string
  fields: PublicField[]
  settings: Pick<Settings, 'language' | 'consent' | 'submit_label' | 'step_titles'>
  version: number | null
  honeypot: string
  token?: string
  page?: string
  values?: Record<string, string | string[]>
  errors?: Record<string, string>
}

export function plainForm({ action, fields, settings, version, honeypot, token, ...entered }: Form) {
  const { language, consent, submit_label, step_titles } = settings
  const texts = textsIn(language)
  const { values = {}, errors = {}, page } = entered
  const titleBefore = ({ step, type }: PublicField, i: number, sorted: PublicField[]) => {
    const isFirst = type !== 'hidden' && !sorted.slice(0, i).some((one) => one.step === step && one.type !== 'hidden')
    return isFirst && step_titles[step - 1] ? [`<h2>${escapeHtml(step_titles[step - 1]!)}</h2>`] : []
  }
  const shown = [...fields]
    .sort((a, b) => a.step - b.step)
    .flatMap((field, i, sorted) => [
      ...titleBefore(field, i, sorted),
      row(field, values[field.name], errors[field.name], texts.choose),
    ])
  const hidden = { ...(token && { kith_token: token }), ...(page && { kith_page: page }) }
  const agreeing =
    consent && version
      ? [
          `<p class="kith-field"><label><input type="checkbox" name="kith_consent" value="${version}"${consent.is_required ? ' required' : ''}> <span>${consentHtml(consent.text)}${consent.is_required ? star : ''}</span></label>${errorText(errors.kith_consent)}</p>`,
        ]
      : []
  return `<form method="post" action="${escapeHtml(action)}" class="kith-form">
${[...Object.entries(hidden).map(([name, value]) => hiddenInput(name, value)), ...shown, trap(honeypot, texts.leave_empty), ...agreeing].join('\n')}
<p><button type="submit">${escapeHtml(submit_label || texts.submit)}</button></p>
</form>`
}

const star = ' <span aria-hidden="true">*</span>'

/** People do not see it. The attributes keep password managers from filling it. */
const trap = (name: string, label: string) =>
  `<p class="kith-extra" aria-hidden="true" hidden><label>${escapeHtml(label)} <input name="${name}" tabindex="-1" autocomplete="off" data-1p-ignore data-lpignore="true" data-bwignore data-form-type="other"></label></p>`

export const hiddenInput = (name: string, value: string) =>
  `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`

function row(field: PublicField, entered: string | string[] | undefined, error: string | undefined, choose: string) {
  const { name, type, label, help, is_required, autocomplete, placeholder } = field
  const value = entered ?? field.value
  const text = String([value].flat()[0] ?? '')
  if (type === 'hidden') return hiddenInput(name, text)
  const required = is_required ? ' required' : ''
  const invalid = error ? ' aria-invalid="true"' : ''
  const common = `name="${name}"${required}${invalid}`
  const typed = `${common} autocomplete="${autocomplete}"${placeholder ? ` placeholder="${escapeHtml(placeholder)}"` : ''}`
  const marked = `${escapeHtml(label)}${is_required ? star : ''}`
  const after = `${help ? `<small>${escapeHtml(help)}</small>` : ''}${errorText(error)}`
  const isChosen = (choice: string) => [value].flat().includes(choice)
  if (type === 'checkbox')
    return `<p class="kith-field"><label><input type="checkbox" value="true" ${common}${text === 'true' ? ' checked' : ''}> <span>${marked}</span></label>${after}</p>`
  if (type === 'multiselect') {
    const boxes = field.choices.map(
      (choice) =>
        `<div><label><input type="checkbox" name="${name}" value="${escapeHtml(choice.value)}"${isChosen(choice.value) ? ' checked' : ''}> ${escapeHtml(choice.label)}</label></div>`,
    )
    return `<fieldset class="kith-field"><legend>${marked}</legend>${boxes.join('')}${after}</fieldset>`
  }
  if (type === 'select') {
    const options = field.choices.map(
      (choice) =>
        `<option value="${escapeHtml(choice.value)}"${isChosen(choice.value) ? ' selected' : ''}>${escapeHtml(choice.label)}</option>`,
    )
    return `<p class="kith-field"><label>${marked}<br><select ${common}><option value="">${escapeHtml(choose)}</option>${options.join('')}</select></label>${after}</p>`
  }
  const input =
    type === 'textarea'
      ? `<textarea rows="5" ${typed}>${escapeHtml(text)}</textarea>`
      : `<input type="${type}"${type === 'number' ? ' step="any"' : ''} value="${escapeHtml(text)}" ${typed}>`
  return `<p class="kith-field"><label>${marked}<br>${input}</label>${after}</p>`
}

const errorText = (error: string | undefined) =>
  error ? `<span class="kith-error" role="alert">${escapeHtml(error)}</span>` : ''

/** Text with links such as [Privacy](https://example.com/privacy), and nothing else. */
export const consentHtml = (text: string) =>
  escapeHtml(text).replace(
    /\[([^\]\n]{1,200})\]\((https?:\/\/[^\s()<>"']{1,500})\)/g,
    '<a href="$2" target="_blank" rel="noopener">$1</a>',
  )

/** The look of the plain form. The element sets the same by script. */
export function stylesOf({ accent, corners, font }: Settings['look']) {
  const family = { site: '', system: 'system-ui, sans-serif', serif: 'Georgia, serif' }[font]
  return `${family ? `:root { font-family: ${family}; }\n` : ''}.kith-form { accent-color: ${accent}; }
.kith-form :is(input:not([type="checkbox"]), select, textarea) { border-radius: ${corners}px; }
form:not([novalidate]) button { border-radius: ${corners}px; background: ${accent}; color: ${isLight(accent) ? '#111' : '#fff'}; }
`
}

/** By the relative luminance of WCAG. */
function isLight(color: string) {
  const [r, g, b] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b! > 0.18
}
