import { mostPictureKb } from '../../contract/limits.ts'

const side = 256
const mostFileBytes = 40 * 1024 * 1024

/** Smaller first; WebP and PNG keep what is transparent. A browser that cannot write WebP writes PNG instead. */
const encodings = [
  ['image/webp', 0.9],
  ['image/jpeg', 0.85],
] as const

/** The middle of a picture as a small square, in base64. Says in words why it cannot. */
export async function scalePicture(file: File): Promise<string> {
  if (file.size > mostFileBytes) throw new Error('This file is too large to read. Choose a picture below 40 MB.')
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
