// Colours the words of a filter in the editor.
import { LanguageSupport, LRLanguage, syntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import { parser } from '../../../contract/filter/index.ts'
import css from './filter-text.module.css'
import { wordsOf } from './word-kinds.ts'

export const highlighting = [
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
