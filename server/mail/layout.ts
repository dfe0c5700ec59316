// The layout of all emails: one column, readable without images, in light and dark mode.
import { escapeHtml } from '../kernel/html.ts'

export type Letter = {
  /** Without one, it is a letter of the company, with only the words that it chose. */
  heading?: string
  /** Who signs it, if not Kith: people outside do not know Kith. */
  from?: string
  paragraphs: string[]
  /** Figures, each with the page behind it. */
  rows?: Row[]
  button?: Link
  /** Shown in small print. */
  notes: (string | Link)[]
}
type Link = { label: string; url: string }
export type Row = Link & { value: string; note: string | null }

export const textOf = ({ heading, paragraphs, rows = [], button, notes, from = 'Kith' }: Letter) =>
  [
    ...(heading ? [heading] : []),
    ...paragraphs,
    ...rows.map(plainRow),
    ...[button ?? [], ...notes].flat().map(plain),
    `-- \n${from}`,
  ].join('\n\n')

const plain = (note: string | Link) => (typeof note === 'string' ? note : `${note.label}:\n${note.url}`)

const plainRow = ({ label, value, note, url }: Row) => [`${label}: ${value}`, ...(note ? [note] : []), url].join('\n')

export const htmlOf = ({ heading, paragraphs, rows = [], button, notes, from = 'Kith' }: Letter) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(heading ?? from)}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: #16181d !important; }
  .card { background: #1f2229 !important; border-color: #32363f !important; }
  .ink { color: #eceef2 !important; }
  .pale { color: #a3a9b5 !important; }
  .rule { border-color: #32363f !important; }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f5f6f8;">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f5f6f8;">
<tr><td align="center" style="padding:32px 16px;">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:520px;background:#ffffff;border:1px solid #e3e6eb;border-radius:10px;">
<tr><td style="padding:32px;${font}">
${heading ? `<h1 class="ink" style="margin:0 0 16px;font-size:20px;line-height:28px;font-weight:600;color:#1b1e24;">${escapeHtml(heading)}</h1>` : ''}
${paragraphs.map((text) => `<p class="ink" style="margin:0 0 16px;font-size:15px;line-height:24px;color:#1b1e24;">${escapeHtml(text)}</p>`).join('\n')}
${rows.length ? rowsOf(rows) : ''}
${button ? buttonOf(button) : ''}
${notes.map((note) => `<p class="pale" style="margin:16px 0 0;font-size:13px;line-height:20px;color:#5d6470;">${noteOf(note)}</p>`).join('\n')}
</td></tr>
<tr><td class="rule pale" style="padding:16px 32px;border-top:1px solid #e3e6eb;${font}font-size:13px;line-height:20px;color:#5d6470;">${escapeHtml(from)}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`

const font = "font-family:Inter,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;overflow-wrap:anywhere;"

const rowsOf = (rows: Row[]) => `
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 16px;">
${rows.map(rowOf).join('\n')}
</table>`

const rowOf = ({ label, value, note, url }: Row) => `<tr>
<td class="rule pale" valign="top" style="padding:10px 12px 10px 0;border-bottom:1px solid #e3e6eb;font-size:15px;line-height:22px;color:#5d6470;">${escapeHtml(label)}</td>
<td class="rule ink" valign="top" align="right" style="padding:10px 0;border-bottom:1px solid #e3e6eb;font-size:15px;line-height:22px;color:#1b1e24;"><a class="ink" href="${escapeHtml(url)}" style="color:#1b1e24;font-weight:600;text-decoration:none;">${escapeHtml(value)}</a>${note ? `<br><span class="pale" style="font-size:13px;line-height:20px;color:#5d6470;">${escapeHtml(note)}</span>` : ''}</td>
</tr>`

// Also shows the full address, for mail programs that do not show links.
const buttonOf = ({ label, url }: Link) => `
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 16px;"><tr>
<td style="border-radius:8px;background:#2f5bd7;"><a href="${escapeHtml(url)}" style="display:inline-block;padding:11px 20px;border-radius:8px;background:#2f5bd7;color:#ffffff;font-size:15px;line-height:20px;font-weight:600;text-decoration:none;">${escapeHtml(label)}</a></td>
</tr></table>
<p class="pale" style="margin:0;font-size:13px;line-height:20px;color:#5d6470;">Or open this address: <a class="pale" href="${escapeHtml(url)}" style="color:#5d6470;">${escapeHtml(url)}</a></p>`

const noteOf = (note: string | Link) =>
  typeof note === 'string'
    ? escapeHtml(note)
    : `<a class="pale" href="${escapeHtml(note.url)}" style="color:#5d6470;">${escapeHtml(note.label)}</a>`
