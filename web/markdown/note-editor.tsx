import '@mantine/tiptap/styles.layer.css'
import { Button, Kbd, Textarea } from '@mantine/core'
import { RichTextEditor } from '@mantine/tiptap'
import { type Editor, Extension, markInputRule } from '@tiptap/core'
import { Markdown } from '@tiptap/markdown'
import { Selection } from '@tiptap/pm/state'
import { useEditor } from '@tiptap/react'
import { getNonce } from 'get-nonce'
import { AtSign } from 'lucide-react'
import {
  type ComponentProps,
  type KeyboardEvent as ReactKeyboardEvent,
  type ReactNode,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { isFormattable } from '../../contract/shared/formattable.ts'
import { modKey } from '../ui/basics/keyboard.ts'
import { FormFailure } from '../ui/basics/states.tsx'
import { extensions } from './markdown-view.tsx'
import { askedIn, MentionMenu, type MenuKeys } from './mention.tsx'
import css from './notes.module.css'

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
/** What is formatted while one types or pastes. */
const formatting = [
  'blockquote',
  'bold',
  'bulletList',
  'code',
  'codeBlock',
  'emphasis',
  'heading',
  'horizontalRule',
  'link',
  'orderedList',
  'strike',
  'taskItem',
]

type EditorProps = {
  label: string
  /** What is stored; nothing yet of a new note. */
  saved?: string
  initial: string
  failure?: string | undefined
  /** The user asked for it, unlike a draft that is shown again. */
  isFocused: boolean
  /** Typing @ offers teammates. */
  hasMentions?: boolean
  onChange: (markdown: string) => void
  onSave: (markdown: string) => void
  onCancel: () => void
  /** Escape where something was written, which stays. */
  onLeave?: () => void
  /** What one can do with the text, below it. */
  actions?: (isEmpty: boolean, written: () => string) => ReactNode
}

/** What cannot be formatted is edited as it is written. Which of the two it is, is settled when editing begins. */
export function MarkdownEditor(props: EditorProps) {
  const [isRich] = useState(() => isFormattable(props.initial))
  return isRich ? <RichEditor {...props} /> : <PlainEditor {...props} />
}

type NoteProps = Omit<EditorProps, 'actions' | 'placeholder' | 'hasMentions'> & { isPending: boolean }

export const NoteEditor = ({ isPending, ...props }: NoteProps) => (
  <MarkdownEditor
    {...props}
    actions={(isEmpty, written) => (
      <EditorActions
        isPending={isPending}
        isEmpty={isEmpty}
        onCancel={props.onCancel}
        onSave={() => props.onSave(written())}
      />
    )}
  />
)

function RichEditor(props: EditorProps) {
  const { label, saved = '', initial, failure, isFocused, hasMentions = true, onChange, onSave, onCancel } = props
  // The editor keeps the handlers that it was created with.
  const change = useEffectEvent(onChange)
  const menu = useRef<MenuKeys>(null)
  const press = useEffectEvent((event: KeyboardEvent): boolean => {
    if (menu.current?.press(event)) {
      event.stopPropagation()
      return true
    }
    const written = editor.getMarkdown()
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      onSave(written)
      return true
    }
    if (event.key !== 'Escape') return false
    event.stopPropagation()
    // Only the Cancel button discards what was written.
    if (written.trim() === saved.trim()) onCancel()
    else props.onLeave?.()
    return true
  })
  const editor = useEditor({
    extensions: [...extensions, Emphasis, Markdown],
    enableInputRules: formatting,
    enablePasteRules: formatting,
    content: initial,
    contentType: 'markdown',
    injectNonce: getNonce(),
    editorProps: {
      attributes: { role: 'textbox', 'aria-multiline': 'true', 'aria-label': label, dir: 'auto' },
      handleKeyDown: (_, event) => press(event),
    },
    onUpdate: ({ editor }) => change(editor.getMarkdown()),
    // The toolbar shows the format of the text at the cursor.
    shouldRerenderOnTransaction: true,
  })
  // Tiptap's own focus comes a frame later, and the keys until then would be lost.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useLayoutEffect(() => {
    if (!isFocused) return
    editor.commands.setTextSelection(Selection.atEnd(editor.state.doc).from)
    editor.view.focus()
  }, [editor])
  const [dismissed, dismiss] = useState<number>()
  const asked = askedIn(editor)
  const isAsked = hasMentions && asked !== undefined && asked.from !== dismissed
  // The same class, described twice: once for each kind of module.
  const mantineEditor = editor as unknown as ComponentProps<typeof RichTextEditor>['editor']
  return (
    <div className={css.editor}>
      <FormFailure>{failure}</FormFailure>
      <RichTextEditor
        editor={mantineEditor}
        variant="subtle"
        withCodeHighlightStyles={false}
        classNames={{ root: css.box, content: css.content }}
      >
        <RichTextEditor.Toolbar className={css.toolbar} aria-label="Format">
          <RichTextEditor.ControlsGroup>
            <RichTextEditor.Bold />
            <RichTextEditor.Italic />
            <RichTextEditor.Strikethrough />
            <RichTextEditor.Code />
          </RichTextEditor.ControlsGroup>
          <RichTextEditor.ControlsGroup>
            <RichTextEditor.H2 />
            <RichTextEditor.BulletList />
            <RichTextEditor.OrderedList />
            <RichTextEditor.TaskList />
            <RichTextEditor.Blockquote />
            <RichTextEditor.Link />
            {hasMentions && (
              <RichTextEditor.Control
                aria-label="Mention someone"
                title="Mention someone"
                onClick={() =>
                  editor
                    .chain()
                    .focus()
                    .insertContent(isAfterSpace(editor) ? '@' : ' @')
                    .run()
                }
              >
                <AtSign size={14} strokeWidth={1.75} aria-hidden="true" />
              </RichTextEditor.Control>
            )}
          </RichTextEditor.ControlsGroup>
        </RichTextEditor.Toolbar>
        <RichTextEditor.Content />
      </RichTextEditor>
      {isAsked && <MentionMenu ref={menu} editor={editor} asked={asked} onClose={() => dismiss(asked.from)} />}
      {props.actions?.(editor.isEmpty, () => editor.getMarkdown())}
    </div>
  )
}

/** An @ inside a word is an address. */
const isAfterSpace = ({ state }: Editor) => {
  const { $from } = state.selection
  return /(^|\s)$/.test($from.parent.textBetween(0, $from.parentOffset, undefined, 'x'))
}

type Props = { isPending: boolean; isEmpty: boolean; onCancel: () => void; onSave: () => void }

const EditorActions = ({ isPending, isEmpty, onCancel, onSave }: Props) => (
  <div className={css.editorActions}>
    <span className={css.hint}>
      <Kbd size="xs">{modKey}</Kbd> <Kbd size="xs">Enter</Kbd> saves
    </span>
    <Button variant="subtle" color="gray" size="compact-sm" onClick={onCancel}>
      Cancel
    </Button>
    <Button size="compact-sm" loading={isPending} disabled={isEmpty} onClick={onSave}>
      Save note
    </Button>
  </div>
)

/** The Markdown itself, for notes that the rich-text editor could not hold. */
function PlainEditor(props: EditorProps) {
  const { label, saved = '', initial, failure, isFocused, onChange, onSave, onCancel } = props
  const press = (event: ReactKeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSave(initial)
    if (event.key !== 'Escape') return
    event.stopPropagation()
    if (initial.trim() === saved.trim()) onCancel()
    else props.onLeave?.()
  }
  return (
    <div className={css.editor}>
      <FormFailure>{failure}</FormFailure>
      <Textarea
        aria-label={label}
        rows={16}
        dir="auto"
        autoFocus={isFocused}
        value={initial}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={press}
      />
      {props.actions?.(initial.trim() === '', () => initial)}
    </div>
  )
}
