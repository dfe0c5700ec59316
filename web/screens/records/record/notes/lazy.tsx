import { lazy, Suspense } from 'react'
import css from './notes.module.css'

const MarkdownView = lazy(() => import('./markdown-view.tsx'))
export const NoteEditor = lazy(() => import('./note-editor.tsx'))

/** Readable at once; its formatting arrives with the part of the app that knows it. */
export const NoteText = ({ text }: { text: string }) => (
  <Suspense
    fallback={
      <div className={css.text} dir="auto">
        <p>{text}</p>
      </div>
    }
  >
    <MarkdownView text={text} />
  </Suspense>
)
