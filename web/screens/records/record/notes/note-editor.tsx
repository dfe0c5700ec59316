import '@mantine/tiptap/styles.layer.css'
import { RichTextEditor } from '@mantine/tiptap'
import type { Editor } from '@tiptap/core'
import { Markdown } from '@tiptap/markdown'
import { Selection } from '@tiptap/pm/state'
import { getNonce } from 'get-nonce'
import { type ComponentProps, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { FormFailure } from '../../../../ui/form-failure.tsx'
import { EditorActions } from './editor-actions.tsx'
import { extensions } from './markdown.ts'
import { isFormattable } from './markdown-limits.ts'
import css from './notes.module.css'
import { PlainEditor } from './plain-editor.tsx'
import { useTiptap } from './use-tiptap.ts'

export type EditorProps = {
  label: string
  /** What is stored; nothing yet of a new note. */
  saved?: string
  initial: string
  failure: string | undefined
  isPending: boolean
  /** Somebody asked for it, or types already. */
  isFocused: boolean
  onFocus: () => void
  onChange: (markdown: string) => void
  onSave: (markdown: string) => void
  onCancel: () => void
}

/** What cannot be formatted is edited as it is written. Which of the two it is, is settled when editing begins. */
export default function NoteEditor(props: EditorProps) {
  const [isRich] = useState(() => isFormattable(props.initial))
  return isRich ? <RichEditor {...props} /> : <PlainEditor {...props} />
}

function RichEditor(props: EditorProps) {
  const { label, saved = '', initial, failure, isPending, isFocused, onChange, onSave, onCancel } = props
  // The editor keeps the handlers that it was made with.
  const save = useEffectEvent(onSave)
  const cancel = useEffectEvent(onCancel)
  const change = useEffectEvent(onChange)
  const editor = useTiptap(() => ({
    extensions: [...extensions, Markdown],
    content: initial,
    contentType: 'markdown',
    injectNonce: getNonce(),
    editorProps: {
      attributes: { role: 'textbox', 'aria-multiline': 'true', 'aria-label': label, dir: 'auto' },
      handleKeyDown: (_, event) => {
        const written = editorRef.current?.getMarkdown() ?? ''
        const isSave = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
        if (isSave) save(written)
        if (event.key === 'Escape') {
          event.stopPropagation()
          // What was written is given up only by the button that says so.
          if (written.trim() === saved.trim()) cancel()
        }
        return isSave || event.key === 'Escape'
      },
    },
    onUpdate: ({ editor }) => change(editor.getMarkdown()),
  }))
  const editorRef = useRef(editor)
  editorRef.current = editor
  // With what it is drawn in, so that no key falls between the field that waited and the editor.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useLayoutEffect(() => {
    if (!editor || !isFocused) return
    editor.commands.setTextSelection(endOf(editor))
    // Markdown may know no blank at the end: the next word would stand against the last one.
    const lost = blanksAfter(initial).slice(blanksAfter(editor.state.doc.textContent).length)
    if (lost) editor.view.dispatch(editor.state.tr.insertText(lost))
    editor.view.focus()
  }, [editor])
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
          </RichTextEditor.ControlsGroup>
        </RichTextEditor.Toolbar>
        <RichTextEditor.Content />
      </RichTextEditor>
      <EditorActions
        isPending={isPending}
        isEmpty={editor?.isEmpty ?? true}
        onCancel={onCancel}
        onSave={() => onSave(editor?.getMarkdown() ?? '')}
      />
    </div>
  )
}

const blanksAfter = (text: string) => / *$/.exec(text)![0]

/** Behind the last letter. */
const endOf = ({ state: { doc } }: Editor) => Selection.atEnd(doc).from
