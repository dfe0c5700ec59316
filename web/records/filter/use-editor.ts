// One CodeMirror editor in a React component. The editor holds the text; React only hears of it.
import { history, historyKeymap, insertNewline, standardKeymap } from '@codemirror/commands'
import { LanguageSupport, LRLanguage, syntaxTree } from '@codemirror/language'
import { setDiagnostics } from '@codemirror/lint'
import { Compartment, EditorState, Prec } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  EditorView,
  keymap,
  placeholder,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view'
import { getNonce } from 'get-nonce'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { type CompletionScope, type Fault, parser } from '../../../contract/filter/index.ts'
import { closeOffers, completing, takeChosen, takeFirst } from './completion.ts'
import css from './filter-text.module.css'
import { wordsOf } from './values/words.ts'

type Settings = {
  initial: string
  scope: CompletionScope
  attributes: Record<string, string>
  hint: string
  autoFocus: boolean
  onTyped: (text: string) => void
  onEnter: (text: string) => void
  onEscape: () => void
}

/** Colors the words of a filter. */
const highlighting = [
  new LanguageSupport(LRLanguage.define({ name: 'filter', parser })),
  ViewPlugin.fromClass(
    class {
      decorations: DecorationSet
      constructor(view: EditorView) {
        this.decorations = coloured(view.state)
      }
      update({ state, startState, docChanged }: ViewUpdate) {
        if (docChanged || syntaxTree(state) !== syntaxTree(startState)) this.decorations = coloured(state)
      }
    },
    { decorations: (plugin) => plugin.decorations },
  ),
]

const coloured = (state: EditorState) =>
  Decoration.set(
    wordsOf(syntaxTree(state), state.doc.toString()).map(({ from, to, kind }) =>
      Decoration.mark({ class: css[kind] }).range(from, to),
    ),
  )

export function useEditor(settings: Settings) {
  const host = useRef<HTMLDivElement>(null)
  const [view, setView] = useState<EditorView>()
  const [named] = useState(() => new Compartment())
  const scope = useEffectEvent(() => settings.scope)
  const onTyped = useEffectEvent((text: string) => settings.onTyped(text))
  const onEnter = useEffectEvent((text: string) => settings.onEnter(text))
  const onEscape = useEffectEvent(() => settings.onEscape())
  const start = useEffectEvent(() => settings)

  // A layout effect, so that the next key is typed into the editor.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is created once
  useLayoutEffect(() => {
    const { initial, hint, attributes, autoFocus } = start()
    const keys = [
      {
        key: 'Enter',
        run: (at: EditorView) => {
          if (!takeChosen(at)) onEnter(at.state.doc.toString())
          return true
        },
        shift: insertNewline,
      },
      { key: 'Tab', run: takeFirst },
      {
        key: 'Escape',
        run: (at: EditorView) => {
          if (!closeOffers(at)) onEscape()
          return true
        },
      },
    ]
    const state = EditorState.create({
      doc: initial,
      selection: { anchor: initial.length },
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
        EditorView.updateListener.of(({ docChanged, state: now }) => docChanged && onTyped(now.doc.toString())),
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

/**
 * Text typed over a selection. Left to itself, Chromium copies the color of what it replaces into a style attribute,
 * which the content security policy refuses and reports.
 */
const typeOver = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { inputType, data, isComposing } = event as InputEvent
    if (inputType !== 'insertText' || data === null || isComposing || view.state.selection.main.empty) return false
    event.preventDefault()
    view.dispatch(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true })
    return true
  },
})

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
