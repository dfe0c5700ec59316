// One CodeMirror editor in a React component. React knows what is applied and what is wrong; the editor holds the text.
import { history, historyKeymap, insertNewline, standardKeymap } from '@codemirror/commands'
import { setDiagnostics } from '@codemirror/lint'
import { Compartment, EditorState, Prec } from '@codemirror/state'
import { EditorView, keymap, placeholder } from '@codemirror/view'
import { getNonce } from 'get-nonce'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { CompletionScope, Fault } from '../../../contract/filter/index.ts'
import { completing, refuseOffer, takeOffer } from './completion.ts'
import { highlighting } from './highlight.ts'
import { typeOver } from './type-over.ts'

type Settings = {
  value: string
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is made once
  useEffect(() => {
    const { value, hint, attributes, autoFocus } = start()
    const keys = [
      {
        key: 'Enter',
        run: (at: EditorView) => {
          if (!takeOffer(at, () => isWhole(textOf(at)))) onEnter(textOf(at))
          return true
        },
        shift: insertNewline,
      },
      { key: 'Tab', run: (at: EditorView) => takeOffer(at, () => false) },
      {
        key: 'Escape',
        run: (at: EditorView) => {
          if (!refuseOffer(at)) onEscape()
          return true
        },
      },
    ]
    const state = EditorState.create({
      doc: value,
      selection: { anchor: value.length },
      extensions: [
        EditorView.cspNonce.of(getNonce() ?? ''),
        Prec.highest(keymap.of(keys)),
        highlighting,
        completing(scope),
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
    if (autoFocus) made.focus()
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
