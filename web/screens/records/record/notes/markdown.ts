// Notes are stored as Markdown.
import { TaskItem, TaskList } from '@tiptap/extension-list'
import { MarkdownManager } from '@tiptap/markdown'
import StarterKit from '@tiptap/starter-kit'

/** Markdown has no underline. */
export const extensions = [
  StarterKit.configure({ underline: false, link: { openOnClick: false, defaultProtocol: 'https' } }),
  TaskList,
  TaskItem.configure({ nested: true }),
]

const manager = new MarkdownManager({ extensions })
const asText = () => undefined

// What the editor has no shape for stays as it was written, instead of getting lost: tables, definitions, pictures.
// HTML stays text too: a note may come from outside.
manager.instance.use({
  tokenizer: {
    html: asText,
    tag: asText,
    table: asText,
    def: asText,
    link: (source) => (source.startsWith('!') ? undefined : false),
  },
})

export const readMarkdown = (text: string) => manager.parse(text)
