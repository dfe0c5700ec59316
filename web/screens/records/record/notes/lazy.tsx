import { lazyPart } from '../../../../ui/lazy-part.tsx'
import css from './notes.module.css'
import { WaitingEditor } from './waiting-editor.tsx'

export const NoteEditor = lazyPart(() => import('./note-editor.tsx'), {
  waiting: (props, { isMissing }) => <WaitingEditor {...props} isMissing={isMissing} />,
  isQuiet: true,
})

/** Readable at once; its formatting arrives with the part of the app that knows it. */
export const NoteText = lazyPart(() => import('./markdown-view.tsx'), {
  waiting: ({ text }) => (
    <div className={css.text} dir="auto">
      <p>{text}</p>
    </div>
  ),
  isQuiet: true,
})
