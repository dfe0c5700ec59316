// What the editor of Markdown knows, and how it reads and writes it.
import { Extension, markInputRule, Node } from '@tiptap/core'
import { TaskItem, TaskList } from '@tiptap/extension-list'
import { Markdown } from '@tiptap/markdown'
import StarterKit from '@tiptap/starter-kit'
import type { marked } from 'marked'
import { mentionOf } from '../../contract/shared/mentions.ts'
import { createReader } from './read-markdown.ts'

/** Stored as [@Anna Berg](mention:USER_ID). */
const Mention = Node.create({
  name: 'mention',
  group: 'inline',
  inline: true,
  atom: true,
  addAttributes: () => ({ id: { default: '' }, name: { default: '' } }),
  parseHTML: () => [{ tag: 'span[data-mention]' }],
  renderHTML: ({ node }) => ['span', { 'data-mention': node.attrs.id }, `@${node.attrs.name}`],
  renderText: ({ node }) => `@${node.attrs.name}`,
  parseMarkdown: ({ id, name }) => ({ type: 'mention', attrs: { id, name } }),
  renderMarkdown: ({ attrs }) => mentionOf({ id: String(attrs?.id), name: String(attrs?.name) }),
})

/** Tiptap's own rule also takes "2 * 3 * 4" for emphasis. */
const Emphasis = Extension.create({
  name: 'emphasis',
  addInputRules() {
    const type = this.editor.schema.marks.italic!
    return [/(?:^|\s)(\*(?![\s*])([^*]*[^\s*])\*)$/, /(?:^|\s)(_(?![\s_])([^_]*[^\s_])_)$/].map((find) =>
      markInputRule({ find, type }),
    )
  },
})

/** Of one editor: each adds to its reader what its extensions read. Markdown has no underline. */
export const createExtensions = () => [
  Mention,
  StarterKit.configure({ underline: false, link: { openOnClick: false, defaultProtocol: 'https' } }),
  TaskList,
  TaskItem.configure({ nested: true }),
  Emphasis,
  Markdown.configure({ marked: createReader() as unknown as typeof marked }),
]
