// The editor of formatted text comes after the page. Until then a plain box takes what is typed, and hands it over.
import { Button, Kbd, Textarea } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { isFormattable } from '../../contract/shared/formattable.ts'
import { modKey } from '../ui/basics/keyboard.ts'
import { FormFailure } from '../ui/basics/states.tsx'
import css from './notes.module.css'
import type { RichEditor } from './rich-editor.tsx'

let rich: typeof RichEditor | undefined
async function load() {
  rich = (await import('./rich-editor.tsx')).RichEditor
}

/** On its way before anyone can ask for it. */
export const loadEditor = () => void load().catch(() => {})

export type EditorProps = {
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
  return isRich ? <LoadedEditor {...props} /> : <PlainEditor {...props} />
}

/** Where the script cannot be loaded, the plain box stays. */
function LoadedEditor(props: EditorProps) {
  const [text, type] = useState(props.initial)
  const [Editor, show] = useState(() => rich)
  const [isFocused, setFocused] = useState(props.isFocused)
  const box = useRef<HTMLDivElement>(null)
  const isComposing = useRef(false)
  const showLoaded = () => {
    if (!rich || isComposing.current) return
    setFocused(box.current?.querySelector('textarea') === document.activeElement)
    show(() => rich)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    if (!Editor) void load().then(showLoaded, () => {})
  }, [])
  if (Editor) return <Editor {...props} initial={text} isFocused={isFocused} />
  return (
    <div
      ref={box}
      onCompositionStart={() => {
        isComposing.current = true
      }}
      onCompositionEnd={() => {
        isComposing.current = false
        showLoaded()
      }}
    >
      <PlainEditor
        {...props}
        isComing
        initial={text}
        onChange={(text) => {
          type(text)
          props.onChange(text)
        }}
      />
    </div>
  )
}

type NoteProps = Omit<EditorProps, 'actions' | 'placeholder' | 'hasMentions'> & {
  isPending: boolean
  /** The files of the note, and the button that adds some. */
  files?: ReactNode
  attach?: ReactNode
}

export const NoteEditor = ({ isPending, files, attach, ...props }: NoteProps) => (
  <MarkdownEditor
    {...props}
    actions={(isEmpty, written) => (
      <>
        {files}
        <EditorActions
          attach={attach}
          isPending={isPending}
          isEmpty={isEmpty}
          onCancel={props.onCancel}
          onSave={() => props.onSave(written())}
        />
      </>
    )}
  />
)

type Props = { attach: ReactNode; isPending: boolean; isEmpty: boolean; onCancel: () => void; onSave: () => void }

const EditorActions = ({ attach, isPending, isEmpty, onCancel, onSave }: Props) => (
  <div className={css.editorActions}>
    {attach}
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
function PlainEditor(props: EditorProps & { isComing?: boolean }) {
  const { label, saved = '', initial, failure, isFocused, isComing, onChange, onSave, onCancel } = props
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
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
        rows={isComing ? 1 : 16}
        classNames={isComing ? { input: css.coming } : {}}
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
