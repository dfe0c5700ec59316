import { Loader, UnstyledButton } from '@mantine/core'
import { X } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { IconButton } from '../../ui/basics/icon-button.tsx'
import type { Upload } from '../../ui/form/uploads.tsx'
import { asSize } from '../../ui/text/numbers.ts'
import { FileIcon } from './file-chip.tsx'
import css from './files.module.css'
import { type FileValue, hrefOf, previewOf } from './files.ts'

const Preview = lazy(() => import('./preview.tsx').then(({ PreviewDialog }) => ({ default: PreviewDialog })))

type Props = {
  label: string
  files: FileValue[]
  uploads?: Upload[]
  onRemove?: ((file: FileValue) => void) | undefined
}

/** Files with their sizes. One that can be shown opens in the page, any other is downloaded. */
export function FileList({ label, files, uploads = [], onRemove }: Props) {
  const [open, setOpen] = useState<FileValue>()
  if (!files.length && !uploads.length) return null
  return (
    <>
      <ul className={css.files} aria-label={label}>
        {files.map((file) => (
          <li key={file.id} className={css.row}>
            <FileLink file={file} onOpen={() => setOpen(file)} />
            {onRemove && <IconButton icon={X} label={`Remove ${file.name}`} size={26} onClick={() => onRemove(file)} />}
          </li>
        ))}
        {uploads.map(({ key, name }) => (
          <li key={key} className={css.row}>
            <span className={css.file}>
              <Loader size={14} color="gray" />
              <bdi>{name}</bdi>
              <small>Uploading</small>
            </span>
          </li>
        ))}
      </ul>
      {open && (
        <Suspense>
          <Preview file={open} among={files} onOpen={setOpen} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
    </>
  )
}

type LinkProps = { file: FileValue; onOpen: () => void; tabIndex?: number | undefined }

export function FileLink({ file, onOpen, tabIndex }: LinkProps) {
  const content = (
    <>
      <FileIcon file={file} />
      <bdi>{file.name}</bdi>
      <small>{asSize(file.size)}</small>
    </>
  )
  return previewOf(file) ? (
    <UnstyledButton
      className={css.file}
      tabIndex={tabIndex}
      onClick={(event) => {
        event.stopPropagation()
        onOpen()
      }}
    >
      {content}
    </UnstyledButton>
  ) : (
    <a
      className={css.file}
      href={hrefOf(file)}
      download={file.name}
      tabIndex={tabIndex}
      onClick={(event) => event.stopPropagation()}
    >
      {content}
    </a>
  )
}

type ChooseProps = {
  label: string
  onFiles: (files: File[]) => void
  children: (choose: () => void) => React.ReactNode
}

/** The file picker of the browser, opened by whatever the children draw. */
export function ChooseFiles({ label, onFiles, children }: ChooseProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      {children(() => input.current?.click())}
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={label}
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = '' // So that the same file can be chosen again.
        }}
      />
    </>
  )
}
