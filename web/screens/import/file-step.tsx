import { Button, Select } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { CircleAlert } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { type CsvFormat, dateOrders, decimalSigns, delimiters, encodings } from '../../../contract/csv.ts'
import { mostUploadMb } from '../../../contract/shared/limits.ts'
import { useUnsaved } from '../../client/unsaved.ts'
import { findCountries } from '../../records/fields/countries.ts'
import { FormFailure } from '../../ui/basics/states.tsx'
import { FileDrop, ProgressBar } from '../../ui/form/file-drop.tsx'
import type { Choices, Preview } from './choices.ts'
import css from './import.module.css'
import { importable, refuseUnusable, uploadForImport, whyNotUploaded } from './upload.ts'

/** Uploads the file. Its content is read on the server, which knows more encodings than a browser guesses. */
export function FileStep({ onDone }: { onDone: (file: { id: string; name: string }) => void }) {
  const [percent, setPercent] = useState(0)
  const stop = useRef<AbortController>(undefined)
  const tellUnsaved = useUnsaved()
  const upload = useMutation({
    mutationFn: (file: File) => {
      refuseUnusable(file)
      tellUnsaved(true)
      stop.current = new AbortController()
      return uploadForImport(file, setPercent, stop.current.signal)
    },
    onSuccess: ({ id, name }) => {
      tellUnsaved(false)
      onDone({ id, name })
    },
    onError: () => {
      tellUnsaved(false)
      if (stop.current?.signal.aborted) upload.reset()
    },
  })
  useEffect(() => () => stop.current?.abort(), [])
  const { isPending, isSuccess, variables, error } = upload
  if (isPending || isSuccess)
    return (
      <div className={css.uploading} role="status">
        <p>
          Uploading <bdi>{variables.name}</bdi>: {percent} %
        </p>
        <ProgressBar label={`Uploading ${variables.name}`} percent={percent} />
        {isPending && (
          <Button variant="default" size="compact-sm" onClick={() => stop.current?.abort()}>
            Cancel
          </Button>
        )}
      </div>
    )
  return (
    <div className={css.drop}>
      <FormFailure>{error && whyNotUploaded(error)}</FormFailure>
      <FileDrop
        label="Drop a file here: CSV, Excel, JSON or contact cards"
        accept={importable}
        note={`At most ${mostUploadMb} MB. Tables have column names in the first row. Nothing is imported until you confirm the preview.`}
        onFiles={([file]) => {
          setPercent(0)
          if (file) upload.mutate(file)
        }}
      />
    </div>
  )
}

type Choice = { label: string; data: { value: string; label: string }[] }
const choicesOf: Record<Exclude<keyof CsvFormat, 'country' | 'kind' | 'sheet'>, Choice> = {
  encoding: {
    label: 'Encoding',
    data: named(encodings, ['UTF-8', 'UTF-16 LE', 'UTF-16 BE', 'Windows-1252 (Western)']),
  },
  delimiter: { label: 'Delimiter', data: named(delimiters, ['Comma', 'Semicolon', 'Tab', 'Vertical bar']) },
  decimal: { label: 'Numbers', data: named(decimalSigns, ['1,234.56', '1.234,56']) },
  date_order: { label: 'Dates', data: named(dateOrders, ['2026-12-31', '31.12.2026', '12/31/2026']) },
}

/** Other files have no encoding to choose, and no delimiter. */
const ofCsvOnly = new Set<string>(['encoding', 'delimiter'])

function named<Value extends string>(values: readonly Value[], labels: string[]) {
  return values.map((value, index) => ({ value, label: labels[index]! }))
}

const PleaseCheck = ({ children = 'Please check' }: { children?: string }) => (
  <span className={css.unsure}>
    <CircleAlert size={12} /> {children}
  </span>
)

type Props = { preview: Preview; choices: Choices; choose: (patch: Partial<Choices>) => void }

/** How the file is read: as detected, unless the user knows better. */
export function FormatChoices({ preview: { format, sheets, unsure }, choices, choose }: Props) {
  const isOpen = (key: keyof Choices['format']) => unsure.includes(key) && choices.format[key] === undefined
  const all = Object.keys(choicesOf) as (keyof typeof choicesOf)[]
  const keys = all.filter((key) => format.kind === 'csv' || !ofCsvOnly.has(key))
  const countries = useMemo(() => findCountries('').map(({ code, name }) => ({ value: code, label: name })), [])
  return (
    <fieldset className={css.format} aria-label="How the file is read">
      {sheets.length > 1 && (
        <Select
          size="xs"
          label="Sheet"
          data={sheets}
          withCheckIcon={false}
          value={choices.format.sheet ?? format.sheet}
          description={isOpen('sheet') ? <PleaseCheck /> : undefined}
          inputWrapperOrder={['label', 'input', 'description']}
          onChange={(sheet) => sheet && choose({ format: { ...choices.format, sheet } })}
        />
      )}
      {keys.map((key) => (
        <Select
          key={key}
          size="xs"
          label={choicesOf[key].label}
          data={choicesOf[key].data}
          withCheckIcon={false}
          value={choices.format[key] ?? format[key]}
          description={isOpen(key) ? <PleaseCheck /> : undefined}
          inputWrapperOrder={['label', 'input', 'description']}
          onChange={(value) => value && choose({ format: { ...choices.format, [key]: value } })}
        />
      ))}
      <Select
        size="xs"
        label="Phone numbers"
        placeholder="With country codes"
        data={countries}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'All phone numbers have country codes' }}
        nothingFoundMessage="No such country"
        value={choices.format.country === undefined ? format.country : choices.format.country}
        description={isOpen('country') ? <PleaseCheck>Check the country</PleaseCheck> : undefined}
        inputWrapperOrder={['label', 'input', 'description']}
        onChange={(country) => choose({ format: { ...choices.format, country } })}
      />
    </fieldset>
  )
}
