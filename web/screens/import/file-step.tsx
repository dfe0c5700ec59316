import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { contract } from '../../../contract/index.ts'
import { mostUploadMb } from '../../../contract/limits.ts'
import { createClient } from '../../client/api.ts'
import { useUnsaved } from '../../client/unsaved.ts'
import { FileDrop } from '../../ui/file-drop.tsx'
import { wordsOf } from '../../ui/form-errors.ts'
import { FormFailure } from '../../ui/form-failure.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { sendWithProgress } from '../../ui/upload.ts'
import css from './import.module.css'

const spreadsheet = /\.(xlsx?|ods|numbers)$/i

/** Uploads the file. Its content is read on the server, which knows more encodings than a browser guesses. */
export function FileStep({ onDone }: { onDone: (file: { id: string; name: string }) => void }) {
  const [percent, setPercent] = useState(0)
  const tellUnsaved = useUnsaved()
  const upload = useMutation({
    mutationFn: async (file: File) => {
      const refusal = refusalOf(file)
      if (refusal) throw new Refused(refusal)
      tellUnsaved(true)
      const { uploadFile } = contract
      const client = createClient({ uploadFile }, '/app/api', sendWithProgress(setPercent))
      return client.uploadFile({ purpose: 'import', name: file.name, file })
    },
    onSuccess: ({ id, name }) => {
      tellUnsaved(false)
      onDone({ id, name })
    },
    onError: () => tellUnsaved(false),
  })
  const { isPending, isSuccess, variables, error } = upload
  if (isPending || isSuccess)
    return (
      <div className={css.uploading} role="status">
        <p>
          Uploading <bdi>{variables.name}</bdi>
        </p>
        <ProgressBar label={`Uploading ${variables.name}`} percent={percent} />
      </div>
    )
  return (
    <div className={css.drop}>
      <FormFailure>{error && (error instanceof Refused ? error.message : wordsOf(error))}</FormFailure>
      <FileDrop
        label="Drop a CSV file here"
        accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
        note={`At most ${mostUploadMb} MB, with the names of the columns in the first row. Nothing is imported before you have seen a preview.`}
        onFile={(file) => {
          setPercent(0)
          upload.mutate(file)
        }}
      />
    </div>
  )
}

class Refused extends Error {}

function refusalOf({ name, size }: File) {
  if (spreadsheet.test(name)) return 'This is a spreadsheet. Save it as CSV first, then choose that file.'
  if (size === 0) return 'This file is empty. Choose another one.'
  return size > mostUploadMb * 1024 * 1024 ? `This file is larger than ${mostUploadMb} MB. Split it first.` : undefined
}
