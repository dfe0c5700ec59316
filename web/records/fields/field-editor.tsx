import { type FocusEvent, type KeyboardEvent, lazy, type MouseEvent, Suspense, useEffect, useRef } from 'react'
import { isCreatingInPlace } from '../data/create-in-place.ts'
import type { FieldShape } from '../data/schema.ts'
import { BooleanEditor, ChoiceEditor, CountryEditor } from './choice-editor.tsx'
import { DateEditor } from './date-editor.tsx'
import type { EditorProps } from './editor.ts'
import { MoneyEditor, NumberEditor } from './number-editor.tsx'
import { RecordEditor, UserEditor } from './record-editor.tsx'
import { TextEditor } from './text-editor.tsx'

const FilesEditor = lazy(async () => ({ default: (await import('./files-editor.tsx')).FilesEditor }))

/** Where one goes from a cell whose editing ends. */
export type Onward = 'stay' | 'next' | 'previous' | 'below'

type Props = {
  field: FieldShape
  value: unknown
  onChange: (value: unknown) => void
  /** Done, with the value as it is now. Of a cell only: a form has its own button. */
  onCommit?: ((value: unknown, onward: Onward) => void) | undefined
  onCancel?: (() => void) | undefined
  error?: string | undefined
  autoFocus?: boolean
  variant?: 'cell' | 'form'
  typed?: string | undefined
}

/** Edits a value of any type. `cell`: Enter, Tab and leaving are done, Escape is not. */
export function FieldEditor({ variant = 'form', ...props }: Props) {
  return variant === 'cell' ? <CellEditor {...props} /> : <Editor {...editorProps(props)} />
}

const nothing = () => {}

const editorProps = ({ field, value, onChange, error, autoFocus = false, typed }: Props): EditorProps => ({
  field,
  value,
  onChange,
  onDone: nothing,
  error,
  autoFocus,
  isCell: false,
  typed,
})

function CellEditor({ onCommit = nothing, onCancel = nothing, ...props }: Omit<Props, 'variant'>) {
  const latest = useRef(props.value)
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isClicked = useRef(false)
  useEffect(() => () => clearTimeout(leaving.current), [])
  const done = (onward: Onward) => {
    clearTimeout(leaving.current)
    onCommit(latest.current, onward)
  }
  const change = (value: unknown) => {
    latest.current = value
    props.onChange(value)
  }
  const press = (event: KeyboardEvent) => {
    // Ctrl-K finds anything, from anywhere.
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') return
    event.stopPropagation()
    if (event.key === 'Escape') return onCancel()
    if (event.key === 'Tab') {
      event.preventDefault()
      return done(event.shiftKey ? 'previous' : 'next')
    }
    const isNewLine = event.shiftKey && props.field.type === 'long_text'
    // A list of choices that is open takes Enter for itself.
    if (event.key !== 'Enter' || isNewLine || event.defaultPrevented || event.nativeEvent.isComposing) return
    event.preventDefault()
    done('below')
  }
  // A list or calendar of the editor is drawn elsewhere in the page; focus that goes there has not left.
  const leave = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget === null && !document.hasFocus()) return
    clearTimeout(leaving.current)
    leaving.current = setTimeout(() => isCreatingInPlace() || done('stay'), 0)
  }
  // The second click of the double one that opened it would select a word only.
  const hold = (event: MouseEvent) => {
    if (event.detail < 2) isClicked.current = true
    else if (!isClicked.current) event.preventDefault()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears what the input inside did not take
    <div onKeyDown={press} onBlur={leave} onFocus={() => clearTimeout(leaving.current)} onMouseDownCapture={hold}>
      <Editor {...editorProps(props)} isCell onChange={change} onDone={(value) => onCommit(value, 'stay')} />
    </div>
  )
}

function Editor(props: EditorProps) {
  switch (props.field.type) {
    case 'number':
      return <NumberEditor {...props} />
    case 'money':
      return <MoneyEditor {...props} />
    case 'boolean':
      return <BooleanEditor {...props} />
    case 'date':
    case 'datetime':
      return <DateEditor {...props} />
    case 'select':
    case 'multi_select':
      return <ChoiceEditor {...props} />
    case 'country':
      return <CountryEditor {...props} />
    case 'user':
      return <UserEditor {...props} />
    case 'relation':
      return <RecordEditor {...props} />
    case 'file':
      return (
        <Suspense>
          <FilesEditor {...props} />
        </Suspense>
      )
    default:
      return <TextEditor {...props} />
  }
}
