// One CodeMirror editor in a React component. React knows what is applied and what is wrong; the editor holds the text.
import { startCompletion } from '@codemirror/autocomplete'
import { history, historyKeymap, insertNewline, standardKeymap } from '@codemirror/commands'
import { setDiagnostics } from '@codemirror/lint'
import { Compartment, EditorState, Prec } from '@codemirror/state'
import { EditorView, keymap, placeholder } from '@codemirror/view'
import { getNonce } from 'get-nonce'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { CompletionScope, Fault } from '../../../contract/filter/index.ts'
import { completing, moveToFirst, refuseOffer, takeOffer } from './completion.ts'
import type { Typed } from './filter-box.tsx'
import { highlighting } from './highlight.ts'
import { typeOver } from './type-over.ts'

type Settings = {
  value: string
  /** What somebody typed before the editor was there, and where. */
  typed: Typed | undefined
  scope: CompletionScope
  attributes: Record<string, string>
  hint: string
  autoFocus: boolean
  isWhole: (text: string) => boolean
  onTyped: (text: string, cursor: number) => void
  onEnter: (text: string) => void
  onEscape: () => void
  onBlur: () => void
}

export function useEditor(settings: Settings) {
  const host = useRef<HTMLDivElement>(null)
  const [view, setView] = useState<EditorView>()
  const [named] = useState(() => new Compartment())
  const scope = useEffectEvent(() => settings.scope)
  const isWhole = useEffectEvent((text: string) => settings.isWhole(text))
  const onTyped = useEffectEvent((text: string, cursor: number) => settings.onTyped(text, cursor))
  const onEnter = useEffectEvent((text: string) => settings.onEnter(text))
  const onEscape = useEffectEvent(() => settings.onEscape())
  const onBlur = useEffectEvent(() => settings.onBlur())
  const start = useEffectEvent(() => settings)
  const textOf = ({ state }: EditorView) => state.doc.toString()

  // With what it is drawn in, so that no key falls between the field that waited and the editor.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is made once
  useLayoutEffect(() => {
    const { value, typed, hint, attributes, autoFocus } = start()
    const keys = [
      {
        key: 'Enter',
        run: (at: EditorView) => {
          if (!takeOffer(at, isWhole)) onEnter(textOf(at))
          return true
        },
        shift: insertNewline,
      },
      { key: 'Tab', run: (at: EditorView) => takeOffer(at, () => false) },
      { key: 'ArrowDown', run: (at: EditorView) => moveToFirst(at, isWhole) },
      {
        key: 'Escape',
        run: (at: EditorView) => {
          if (!refuseOffer(at)) onEscape()
          return true
        },
      },
    ]
    const state = EditorState.create({
      doc: typed?.text ?? value,
      selection: { anchor: typed?.cursor ?? value.length },
      extensions: [
        EditorView.cspNonce.of(getNonce() ?? ''),
        Prec.highest(keymap.of(keys)),
        highlighting,
        completing(scope, isWhole),
        typeOver,
        history(),
        keymap.of([...standardKeymap, ...historyKeymap]),
        EditorView.lineWrapping,
        placeholder(hint),
        named.of(EditorView.contentAttributes.of(attributes)),
        EditorView.updateListener.of(({ docChanged, state: now }) => {
          if (docChanged) onTyped(now.doc.toString(), now.selection.main.head)
        }),
        EditorView.domEventHandlers({ blur: () => void onBlur() }),
      ],
    })
    const made = new EditorView({ state, parent: host.current! })
    setView(made)
    if (typed?.hasFocus ?? autoFocus) made.focus()
    if (typed?.entered !== undefined) onEnter(typed.entered)
    else if (typed && typed.text !== value) startCompletion(made)
    return () => made.destroy()
  }, [])

  const { attributes } = settings
  const said = JSON.stringify(attributes)
  // biome-ignore lint/correctness/useExhaustiveDependencies: by content
  useEffect(() => {
    view?.dispatch({ effects: named.reconfigure(EditorView.contentAttributes.of(attributes)) })
  }, [view, named, said])

  return { host, view }
}

export function underline(view: EditorView, faults: Fault[]) {
  const { length } = view.state.doc
  const marks = faults.flatMap(({ at, message }) => {
    if (!at) return []
    // What is missing at the end shows under the last letter.
    const from = Math.min(at.offset, Math.max(0, length - 1))
    const to = Math.min(Math.max(at.offset + at.length, from + 1), length)
    return to > from ? [{ from, to, message, severity: 'error' as const }] : []
  })
  view.dispatch(setDiagnostics(view.state, marks))
}
