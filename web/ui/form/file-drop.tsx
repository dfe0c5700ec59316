import { Button } from '@mantine/core'
import { FileUp } from 'lucide-react'
import { type DragEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { notReached, type Send } from '../../client/api.ts'
import css from './file-drop.module.css'

type Props = {
  label: string
  accept: string
  note: ReactNode
  /** Without `several`, one file. */
  onFiles: (files: File[]) => void
  several?: boolean
}

/** Takes files, by drag and drop or from the file picker. */
export function FileDrop({ label, accept, note, onFiles, several = false }: Props) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const drag = (isInside: boolean) => (event: DragEvent) => {
    event.preventDefault()
    setOver(isInside)
  }
  const [isSeveral, setSeveral] = useState(false)
  const take = (files: FileList | null) => {
    const all = [...(files ?? [])]
    const isTooMany = all.length > 1 && !several
    setSeveral(isTooMany)
    if (all.length && !isTooMany) onFiles(all)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a legend and borders that do not fit here
    <div
      role="group"
      aria-label={label}
      aria-describedby={id}
      className={css.drop}
      data-over={isOver || undefined}
      onDragEnter={drag(true)}
      onDragOver={drag(true)}
      onDragLeave={drag(false)}
      onDrop={(event) => {
        drag(false)(event)
        take(event.dataTransfer.files)
      }}
    >
      <FileUp size={24} strokeWidth={1.5} />
      <p className={css.title}>{label}</p>
      {isSeveral && (
        <p role="alert" className={css.several}>
          One file at a time. Drop or choose only one.
        </p>
      )}
      <Button variant="default" onClick={() => input.current?.click()}>
        {several ? 'Choose files' : 'Choose a file'}
      </Button>
      <div id={id} className={css.note}>
        {note}
      </div>
      <input
        ref={input}
        type="file"
        accept={accept}
        multiple={several}
        hidden
        aria-label={label}
        onChange={(event) => {
          take(event.currentTarget.files)
          event.currentTarget.value = '' // So that the same file can be chosen again.
        }}
      />
    </div>
  )
}

/** While this is shown, a file that is dropped beside the place for it does not replace the page. */
export function useNoStrayDrops() {
  useEffect(() => {
    const refuse = (event: globalThis.DragEvent) =>
      event.dataTransfer?.types.includes('Files') && event.preventDefault()
    window.addEventListener('dragover', refuse)
    window.addEventListener('drop', refuse)
    return () => {
      window.removeEventListener('dragover', refuse)
      window.removeEventListener('drop', refuse)
    }
  }, [])
}

/** Sends like fetch, which cannot say how much of a body has left. `onProgress` gets a percentage. */
export const sendWithProgress =
  (onProgress: (percent: number) => void, signal?: AbortSignal): Send =>
  (path, { method = 'POST', headers, body }) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open(method, path)
      for (const [name, value] of Object.entries(headers ?? {})) request.setRequestHeader(name, String(value))
      request.upload.onprogress = ({ loaded, total }) => total && onProgress(Math.floor((loaded / total) * 100))
      request.onload = () => resolve(new Response(request.responseText, { status: request.status }))
      request.onerror = () => reject(notReached())
      request.onabort = () => reject(signal?.reason)
      signal?.addEventListener('abort', () => request.abort())
      request.send(body as Blob)
    })

/** How far something is, from 0 to 100. Without a percentage it only shows that something happens. */
export const ProgressBar = ({ label, percent }: { label: string; percent: number | undefined }) => (
  <div
    role="progressbar"
    aria-label={label}
    aria-valuemin={0}
    aria-valuemax={100}
    aria-valuenow={percent}
    className={css.bar}
    data-unknown={percent === undefined || undefined}
  >
    <div style={{ width: `${percent ?? 35}%` }} />
  </div>
)
