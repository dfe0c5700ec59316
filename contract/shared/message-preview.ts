// How a message begins, in one line, for lists.

type Beginning = {
  text: string
  quote_at?: number | null
  direction: string | null
  files?: { name: string; is_inline: boolean }[]
}

const mostRead = 2000
const mostShown = 200

/** Without the signature. What we write is Markdown. A message without words is its files. */
export const previewOf = ({ text, quote_at = null, direction, files = [] }: Beginning) => {
  const all = text.slice(0, Math.min(quote_at ?? mostRead, mostRead))
  const own = all.split(/^-- ?$/m).find((part) => part.trim()) ?? ''
  const words = (direction === 'out' ? withoutMarks(own) : own).replace(/\s+/g, ' ').trim().slice(0, mostShown)
  return words || namesOf(files.filter(({ is_inline }) => !is_inline))
}

const namesOf = (files: { name: string }[]) => (files.length > 1 ? `${files.length} files` : (files[0]?.name ?? ''))

/** In about the same words as it is sent. What the editor escaped was meant as it is. */
const withoutMarks = (markdown: string) =>
  plainCharacters(
    markdown
      .replace(/!?\[([^\]\n]{0,300})\]\([^)\n]{0,1000}\)/g, '$1')
      .replace(/^ {0,3}(?:#{1,6}|>) +/gm, '')
      .replace(/\\.|[*`~]/gs, (found) => found.slice(1)),
  )

const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

/** What an editor of Markdown writes in the place of characters that HTML knows. */
export const plainCharacters = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => characters[name]!)
