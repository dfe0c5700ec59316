// The editor of messages comes after the page, so that the page is there sooner.
import { Loader } from '@mantine/core'
import { type ComponentProps, lazy, Suspense, useState } from 'react'
import type { MarkdownEditor } from '../../../markdown/note-editor.tsx'
import css from './composer.module.css'

let loaded: typeof MarkdownEditor | undefined
async function load() {
  const module = await import('../../../markdown/note-editor.tsx')
  loaded = module.MarkdownEditor
  return { default: module.MarkdownEditor }
}
const Later = lazy(load)

/** On its way before anyone can ask for it. */
export const loadEditor = () => void load().catch(() => {})

/** Where this is shown, keys would not arrive in the text yet: they must not do anything else either. */
export const editorIsComing = '[data-editor-is-coming]'

export function Editor(props: ComponentProps<typeof MarkdownEditor>) {
  const [Box] = useState<typeof MarkdownEditor | typeof Later>(() => loaded ?? Later)
  return (
    <Suspense
      fallback={
        <div className={css.coming} data-editor-is-coming>
          <Loader size="sm" color="gray" aria-label="Loading the editor" />
        </div>
      }
    >
      <Box {...props} />
    </Suspense>
  )
}
