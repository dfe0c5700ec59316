import { Loader } from '@mantine/core'
import { Paperclip, X } from 'lucide-react'
import { useRef } from 'react'
import { mostMessageFiles, mostMessageFilesMb } from '../../../../contract/messages.ts'
import type { Draft } from '../../../conversations/inbox.ts'
import { ChooseFiles } from '../../../records/files/file-list.tsx'
import { IconButton } from '../../../ui/basics/icon-button.tsx'
import { say } from '../../../ui/basics/notices.tsx'
import { type Upload, useUploads } from '../../../ui/form/uploads.tsx'
import { asSize } from '../../../ui/text/numbers.ts'
import type { DraftState } from '../state/use-draft.ts'
import css from './composer.module.css'

/** Files by button, paste and drop. They are uploaded at once. */
export function useFiles(state: DraftState) {
  const files = useRef<Draft['files']>([])
  files.current = state.draft?.files ?? []
  const put = (next: Draft['files']) => {
    files.current = next
    state.change({ files: next })
  }
  const refuses = (chosen: File[]) => {
    const bytes = [...files.current, ...chosen].reduce((sum, { size }) => sum + size, 0)
    const isTooLarge = bytes > mostMessageFilesMb * 1024 * 1024
    const isTooMany = files.current.length + chosen.length > mostMessageFiles
    if (isTooLarge) say(`Attachments can be up to ${mostMessageFilesMb} MB in total. Send links to larger files.`)
    else if (isTooMany) say(`A message can have at most ${mostMessageFiles} files.`)
    return isTooLarge || isTooMany
  }
  const uploads = useUploads({
    purpose: 'message',
    onUploaded: (added) => put([...files.current, ...added.map(({ id, name, size }) => ({ id, name, size }))]),
    refuses,
    isOff: state.draft?.kind === 'note',
  })
  return { ...uploads, remove: (id: string) => put(files.current.filter((one) => one.id !== id)) }
}

export const AttachButton = ({ onFiles }: { onFiles: (files: File[]) => void }) => (
  <ChooseFiles label="Files to attach" onFiles={onFiles}>
    {(choose) => <IconButton icon={Paperclip} label="Attach files" size={32} onClick={choose} />}
  </ChooseFiles>
)

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
