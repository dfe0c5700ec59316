import { Editor, type EditorOptions } from '@tiptap/core'
import { useEditorState } from '@tiptap/react'
import { useEffectEvent, useLayoutEffect, useState } from 'react'

/**
 * An editor that begins when its place is in the page. The hook of the library makes one while React draws, and ends it
 * when a moment later nothing is in the page: React may wait a third of a second before it shows a part that was fetched.
 */
export function useTiptap(options: () => Partial<EditorOptions>) {
  const [editor, setEditor] = useState<Editor | null>(null)
  const begin = useEffectEvent(() => new Editor(options()))
  useLayoutEffect(() => {
    const made = begin()
    setEditor(made)
    return () => made.destroy()
  }, [])
  // What the buttons around it show is of the text at the cursor.
  useEditorState({ editor, selector: ({ transactionNumber }) => transactionNumber })
  return editor
}
