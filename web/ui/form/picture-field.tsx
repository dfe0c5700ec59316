import { Button } from '@mantine/core'
import { ImagePlus } from 'lucide-react'
import { type ChangeEvent, useId, useRef, useState } from 'react'
import { mostPictureKb } from '../../../contract/shared/limits.ts'
import { ApiError } from '../../client/api.ts'
import { Picture } from '../basics/avatar.tsx'
import { wordsOf } from '../basics/errors.ts'
import css from './picture-field.module.css'

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
        {pictureId ? <Picture id={pictureId} className={css.picture} /> : <ImagePlus size={22} />}
      </div>
      <div className={css.text}>
        <span id={`${id}-label`} className={css.label}>
          {label}
        </span>
        <span id={`${id}-note`} className={css.note}>
          PNG, JPEG or WebP. Cropped to a square.
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

const side = 256
const mostFileBytes = 40 * 1024 * 1024

/** Smaller first; WebP and PNG keep what is transparent. A browser that cannot write WebP writes PNG instead. */
const encodings = [
  ['image/webp', 0.9],
  ['image/jpeg', 0.85],
] as const

/** The middle of a picture as a small square, in base64. Says in words why it cannot. */
async function scalePicture(file: File): Promise<string> {
  if (file.size > mostFileBytes) throw new Error('This file is too large to read. Choose a picture under 40 MB.')
  const canvas = draw(await read(file))
  for (const [type, quality] of encodings) {
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, type, quality))
    if (blob && blob.size <= mostPictureKb * 1024) return base64(blob)
  }
  throw new Error('This picture could not be made small enough. Choose another one.')
}

async function read(file: File) {
  const address = URL.createObjectURL(file)
  const image = new Image()
  image.src = address
  try {
    await image.decode()
    if (!image.naturalWidth || !image.naturalHeight) throw new Error('It has no size')
    return image
  } catch {
    throw new Error('This is not a picture that your browser can read. Choose a PNG, JPEG or WebP file.')
  } finally {
    URL.revokeObjectURL(address)
  }
}

function draw(image: HTMLImageElement) {
  const { naturalWidth: width, naturalHeight: height } = image
  const cut = Math.min(width, height)
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = Math.min(side, cut)
  const paper = canvas.getContext('2d')!
  paper.imageSmoothingQuality = 'high'
  paper.drawImage(image, (width - cut) / 2, (height - cut) / 2, cut, cut, 0, 0, canvas.width, canvas.height)
  return canvas
}

const base64 = (blob: Blob) =>
  new Promise<string>((done, failed) => {
    const reader = new FileReader()
    reader.onload = () => done(String(reader.result).replace(/^[^,]*,/, ''))
    reader.onerror = () => failed(new Error('The picture could not be read. Try again.'))
    reader.readAsDataURL(blob)
  })
