import { escapeHtml } from '../../kernel/html.ts'

/** Stored HTML as it is sent: images get their addresses back, those of files only if the message has the file. */
export function outgoingHtml(html: string, contentIds: string[]) {
  const known = new Set(contentIds.map(escapeHtml))
  return html.replaceAll('<div data-fold>', '<div>').replace(/<img\s[^>]*>/g, (tag) => {
    const [found, kind, name] = / data-(cid|remote)="([^"]*)"/.exec(tag) ?? []
    if (!found) return tag
    if (kind === 'cid' && !known.has(name!)) return ''
    return tag.replace(found, ` src="${kind === 'cid' ? 'cid:' : ''}${name}"`)
  })
}
