import { Button } from '@mantine/core'
import { ImagePlus } from 'lucide-react'
import { type ChangeEvent, useId, useRef, useState } from 'react'
import { ApiError } from '../client/api.ts'
import { wordsOf } from './form-errors.ts'
import { Picture } from './picture.tsx'
import css from './picture-field.module.css'
import { scalePicture } from './scale-picture.ts'

type Props = {
  label: string
  pictureId: string | null
  /** Takes base64, or null to remove the picture. */
  onChange: (image: string | null) => Promise<unknown>
  round?: boolean
}

/** A picture that is chosen, made small in the browser and sent at once. */
export function PictureField({ label, pictureId, onChange, round }: Props) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const choose = useRef<HTMLButtonElement>(null)
  const [busy, setBusy] = useState<'choosing' | 'removing'>()
  const [fault, setFault] = useState<string>()

  const run = async (what: typeof busy, work: () => Promise<unknown>) => {
    setBusy(what)
    setFault(undefined)
    try {
      await work()
    } catch (error) {
      setFault(error instanceof ApiError || !(error instanceof Error) ? wordsOf(error) : error.message)
    }
    setBusy(undefined)
  }
  const take = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.currentTarget.files?.[0]
    event.currentTarget.value = '' // So that the same file can be chosen again.
    if (file) void run('choosing', async () => onChange(await scalePicture(file)))
  }
  const remove = async () => {
    await run('removing', () => onChange(null))
    choose.current?.focus()
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a legend and borders that do not fit here
    <div role="group" aria-labelledby={`${id}-label`} aria-describedby={`${id}-note`} className={css.field}>
      <div className={css.frame} data-round={round || undefined}>
        {pictureId ? <Picture id={pictureId} className={css.picture} /> : <ImagePlus size={22} aria-hidden="true" />}
      </div>
      <div className={css.text}>
        <span id={`${id}-label`} className={css.label}>
          {label}
        </span>
        <span id={`${id}-note`} className={css.note}>
          PNG, JPEG or WebP. The middle is cut out as a square.
        </span>
        <div className={css.actions}>
          <Button
            ref={choose}
            variant="default"
            size="xs"
            loading={busy === 'choosing'}
            disabled={busy === 'removing'}
            onClick={() => input.current?.click()}
          >
            {pictureId ? 'Replace' : 'Choose a file'}
          </Button>
          {pictureId && (
            <Button
              variant="subtle"
              color="gray"
              size="xs"
              loading={busy === 'removing'}
              disabled={busy === 'choosing'}
              onClick={remove}
            >
              Remove
            </Button>
          )}
        </div>
        <span role="alert" className={css.fault}>
          {fault}
        </span>
      </div>
      <input ref={input} type="file" accept="image/*" hidden aria-label={`${label}: file`} onChange={take} />
    </div>
  )
}
