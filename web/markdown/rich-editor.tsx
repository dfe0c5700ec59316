import '@mantine/tiptap/styles.layer.css'
import { RichTextEditor } from '@mantine/tiptap'
import type { Editor } from '@tiptap/core'
import { Selection } from '@tiptap/pm/state'
import { useEditor } from '@tiptap/react'
import { getNonce } from 'get-nonce'
import { AtSign } from 'lucide-react'
import { type ComponentProps, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { FormFailure } from '../ui/basics/states.tsx'
import { createExtensions } from './extensions.ts'
import { askedIn, MentionMenu, type MenuKeys } from './mention.tsx'
import type { EditorProps } from './note-editor.tsx'
import css from './notes.module.css'

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

export function RichEditor(props: EditorProps) {
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
    extensions: createExtensions(),
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
    // A new line means nothing at the end of Markdown, but the user goes on typing there.
    if (/\S\s*\n\s*$/.test(initial)) editor.commands.splitBlock()
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
