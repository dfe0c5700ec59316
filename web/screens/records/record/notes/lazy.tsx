import { Skeleton } from '@mantine/core'
import { lazyPart } from '../../../../ui/lazy-part.tsx'
import css from './notes.module.css'

export const NoteEditor = lazyPart(() => import('./note-editor.tsx'), {
  waiting: () => <Skeleton height={140} radius="md" role="status" aria-label="Loading the editor" />,
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
