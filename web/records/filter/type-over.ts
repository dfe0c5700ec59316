import { EditorView } from '@codemirror/view'

/**
 * Text typed over a selection. Left to itself, Chromium copies the colour of what it replaces into a style attribute,
 * which the content security policy refuses and reports.
 */
export const typeOver = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { inputType, data, isComposing } = event as InputEvent
    if (inputType !== 'insertText' || data === null || isComposing || view.state.selection.main.empty) return false
    event.preventDefault()
    view.dispatch(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true })
    return true
  },
})
