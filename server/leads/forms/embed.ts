// What people copy into their site, ready to use.

import type { Schema } from '../../engine/schema/schema.ts'
import { escapeHtml } from '../../kernel/html.ts'
import { fieldsOf, honeypotOf, type PublicField } from './form.ts'
import { plainForm } from './form-html.ts'
import type { SourceRow } from './source.ts'

export function embedsOf(schema: Schema, baseUrl: URL, source: SourceRow, form_id: string) {
  const page = `${baseUrl.origin}/public/forms/${form_id}`
  const { title } = source.settings
  const label = escapeHtml(title || source.name)
  const fields = fieldsOf(schema, source.settings)
  const sample = Object.fromEntries(
    fields.slice(0, 3).map(({ name, type }) => [name, type === 'email' ? 'ada@example.com' : '...']),
  )
  return {
    page,
    script: `<script src="${baseUrl.origin}/public/forms/script" async></script>
<kith-form form="${form_id}"><a href="${page}">${label}</a></kith-form>`,
    iframe: `<iframe src="${page}" title="${label}" width="100%" height="${heightOf(fields)}" frameborder="0"></iframe>`,
    html: plainForm({
      action: page,
      fields,
      settings: source.settings,
      version: source.consent_version,
      honeypot: honeypotOf(source.id),
      page: '',
    }),
    curl: `curl -X POST ${baseUrl.origin}/api/v1/lead-sources/${source.id}/submissions \\
  -H "x-api-key: $KITH_API_KEY" -H "content-type: application/json" \\
  -d '${JSON.stringify({ values: sample }).replaceAll("'", "'\\''")}'`,
  }
}

const heights: Partial<Record<PublicField['type'], number>> = { hidden: 0, textarea: 190, checkbox: 60 }

/** About what the form needs, in pixels; its longest step, if it has several. A frame cannot fit itself to its content. */
function heightOf(fields: PublicField[]) {
  const steps = Map.groupBy(fields, ({ step }) => step)
  const height = ({ type, choices, help }: PublicField) =>
    (type === 'multiselect' ? 40 + choices.length * 40 : (heights[type] ?? 100)) + (help ? 30 : 0)
  const longest = [...steps.values()].map((step) => step.reduce((sum, field) => sum + height(field), 0))
  return Math.min(2000, 300 + Math.max(0, ...longest))
}
