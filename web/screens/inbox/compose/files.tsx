import { Loader } from '@mantine/core'
import { Paperclip, X } from 'lucide-react'
import { type ClipboardEvent, type DragEvent, useRef, useState } from 'react'
import { mostMessageFiles, mostMessageFilesMb } from '../../../../contract/messages.ts'
import { api } from '../../../client/api.ts'
import type { Draft } from '../../../conversations/inbox.ts'
import { IconButton } from '../../../ui/basics/icon-button.tsx'
import { complain, say } from '../../../ui/basics/notices.tsx'
import { asSize } from '../../../ui/text/numbers.ts'
import type { DraftState } from '../state/use-draft.ts'
import css from './composer.module.css'

type Upload = { key: number; name: string }
let uploadCount = 0

/** Files by button, paste and drop. They are uploaded at once. */
export function useFiles(state: DraftState) {
  const [uploads, setUploads] = useState<Upload[]>([])
  const [isOver, setOver] = useState(false)
  const files = useRef<Draft['files']>([])
  files.current = state.draft?.files ?? []
  const isNote = state.draft?.kind === 'note'
  const put = (next: Draft['files']) => {
    files.current = next
    state.change({ files: next })
  }
  const upload = async (file: File) => {
    const one = { key: uploadCount++, name: file.name }
    setUploads((now) => [...now, one])
    try {
      const { id } = await api.uploadFile({ purpose: 'message', name: file.name || 'file', file })
      put([...files.current, { id, name: file.name, size: file.size }])
    } catch (error) {
      complain(`${file.name} was not added`, error)
    }
    setUploads((now) => now.filter(({ key }) => key !== one.key))
  }
  const add = (chosen: File[]) => {
    const bytes = [...files.current, ...chosen].reduce((sum, { size }) => sum + size, 0)
    if (bytes > mostMessageFilesMb * 1024 * 1024)
      return say(`Attachments can be up to ${mostMessageFilesMb} MB in total. Send links to larger files.`)
    if (files.current.length + chosen.length > mostMessageFiles)
      return say(`A message can have at most ${mostMessageFiles} files.`)
    for (const file of chosen) void upload(file)
  }
  const take = (event: ClipboardEvent | DragEvent, { files: given }: DataTransfer) => {
    if (!given.length || isNote) return
    event.preventDefault()
    event.stopPropagation()
    add([...given])
  }
  const hover = (is: boolean) => (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files') || isNote) return
    event.preventDefault()
    setOver(is)
  }
  return {
    uploads,
    add,
    remove: (id: string) => put(files.current.filter((one) => one.id !== id)),
    isUploading: uploads.length > 0,
    isOver,
    drop: {
      onPasteCapture: (event: ClipboardEvent) => take(event, event.clipboardData),
      onDropCapture: (event: DragEvent) => {
        setOver(false)
        take(event, event.dataTransfer)
      },
      onDragOver: hover(true),
      onDragLeave: hover(false),
    },
  }
}

export function AttachButton({ onFiles }: { onFiles: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton icon={Paperclip} label="Attach files" size={32} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = '' // So that the same file can be chosen again.
        }}
      />
    </>
  )
}

type ListProps = { files: Draft['files']; uploads: Upload[]; onRemove: (id: string) => void }

export function FileList({ files, uploads, onRemove }: ListProps) {
  if (!files.length && !uploads.length) return null
  return (
    <ul className={css.files} aria-label="Attached files">
      {files.map(({ id, name, size }) => (
        <li key={id}>
          <Paperclip size={13} />
          <bdi>{name}</bdi>
          <small>{asSize(size)}</small>
          <IconButton icon={X} label={`Remove ${name}`} size={24} variant="transparent" onClick={() => onRemove(id)} />
        </li>
      ))}
      {uploads.map(({ key, name }) => (
        <li key={key}>
          <Loader size={12} color="gray" />
          <bdi>{name}</bdi>
          <small>Uploading</small>
        </li>
      ))}
    </ul>
  )
}
