import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { FileSpreadsheet, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { mostFiles } from '../../../../contract/moves.ts'
import { mostUploadMb } from '../../../../contract/shared/limits.ts'
import { useUnsaved } from '../../../client/unsaved.ts'
import { IconButton } from '../../../ui/basics/icon-button.tsx'
import { FileDrop, ProgressBar } from '../../../ui/form/file-drop.tsx'
import { StepFrame } from '../step-frame.tsx'
import { importable, refuseUnusable, uploadForImport, whyNotUploaded } from '../upload.ts'
import type { Move } from './choices.ts'
import css from './move.module.css'

type Props = { move: Move; onNext: () => void }

/** Takes all files of the other product together. */
export function FilesStep({ move, onNext }: Props) {
  const { files, add, remove } = move
  const upload = useUploads(add)
  const isTooMany = files.length > mostFiles
  return (
    <StepFrame
      title="Your files"
      about="Export everything you want to bring, one file for each kind of record. Kith finds out what each file is, and links them to each other."
      failure={
        upload.failure ?? (isTooMany && `A move has at most ${mostFiles} files. Remove some, and bring them next.`)
      }
      actions={
        <>
          {files.length > 1 && (
            <Button variant="default" onClick={move.forget}>
              Remove all files
            </Button>
          )}
          <Button disabled={!files.length || isTooMany || upload.isPending} onClick={onNext}>
            Continue
          </Button>
        </>
      }
    >
      {upload.isPending ? (
        <div className={css.uploading} role="status">
          <p>
            Uploading <bdi>{upload.name}</bdi>: {upload.percent} %
          </p>
          <ProgressBar label={`Uploading ${upload.name}`} percent={upload.percent} />
          <Button variant="default" size="compact-sm" onClick={upload.stop}>
            Cancel
          </Button>
        </div>
      ) : (
        <FileDrop
          several
          label="Drop your files here: CSV, Excel, JSON or contact cards"
          accept={importable}
          note={`At most ${mostUploadMb} MB each. Nothing is imported until you have seen the plan and a check.`}
          onFiles={upload.start}
        />
      )}
      {files.length > 0 && (
        <ul className={css.files} aria-label="Files">
          {files.map(({ id, name }) => (
            <li key={id}>
              <FileSpreadsheet size={16} />
              <bdi>{name}</bdi>
              <IconButton icon={X} label={`Remove ${name}`} onClick={() => remove(id)} />
            </li>
          ))}
        </ul>
      )}
    </StepFrame>
  )
}

/** Uploads files one after the other. Those before one that fails stay. */
function useUploads(add: Move['add']) {
  const [progress, setProgress] = useState({ name: '', percent: 0 })
  const stop = useRef<AbortController>(undefined)
  const tellUnsaved = useUnsaved()
  const upload = useMutation({
    mutationFn: async (files: File[]) => {
      const done: { id: string; name: string }[] = []
      try {
        files.forEach(refuseUnusable)
        tellUnsaved(true)
        stop.current = new AbortController()
        for (const file of files) {
          setProgress({ name: file.name, percent: 0 })
          const onPercent = (percent: number) => setProgress({ name: file.name, percent })
          const { id, name } = await uploadForImport(file, onPercent, stop.current.signal)
          done.push({ id, name })
        }
      } finally {
        tellUnsaved(false)
        add(done)
      }
    },
    onError: () => {
      if (stop.current?.signal.aborted) upload.reset()
    },
  })
  useEffect(() => () => stop.current?.abort(), [])
  return {
    ...progress,
    isPending: upload.isPending,
    failure: upload.error && whyNotUploaded(upload.error),
    start: (files: File[]) => upload.mutate(files),
    stop: () => stop.current?.abort(),
  }
}
