import { type ClipboardEvent, type DragEvent, useRef, useState } from 'react'
import type { uploadPurposes } from '../../../contract/files.ts'
import { api } from '../../client/api.ts'
import { complain } from '../basics/notices.tsx'

export type Upload = { key: number; name: string }
type Uploaded = { id: string; name: string; type: string; size: number }
let uploadCount = 0

type Props = {
  purpose: (typeof uploadPurposes)[number]
  /** Those that were chosen together, together. */
  onUploaded: (files: Uploaded[]) => void
  /** Says why these cannot be added. Without a refusal they are uploaded. */
  refuses?: (files: File[]) => boolean
  /** Where nothing is taken at the moment. */
  isOff?: boolean
}

/** Files by button, paste and drop. They are uploaded at once. */
export function useUploads({ purpose, onUploaded, refuses = () => false, isOff = false }: Props) {
  const [uploads, setUploads] = useState<Upload[]>([])
  const [isOver, setOver] = useState(false)
  // An upload may take longer than the drawing that began it.
  const told = useRef(onUploaded)
  told.current = onUploaded
  const upload = async (file: File): Promise<Uploaded[]> => {
    const name = file.name || 'file'
    const one = { key: uploadCount++, name }
    setUploads((now) => [...now, one])
    try {
      const { id, name: stored, type, size } = await api.uploadFile({ purpose, name, file })
      return [{ id, name: stored, type, size }]
    } catch (error) {
      complain(`${name} was not added`, error)
      return []
    } finally {
      setUploads((now) => now.filter(({ key }) => key !== one.key))
    }
  }
  const uploadAll = async (chosen: File[]) => {
    const uploaded = (await Promise.all(chosen.map(upload))).flat()
    if (uploaded.length) told.current(uploaded)
  }
  const add = (chosen: File[]) => {
    if (chosen.length && !refuses(chosen)) void uploadAll(chosen)
  }
  const take = (event: ClipboardEvent | DragEvent, { files }: DataTransfer) => {
    if (!files.length || isOff) return
    event.preventDefault()
    event.stopPropagation()
    add([...files])
  }
  const hover = (is: boolean) => (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files') || isOff) return
    event.preventDefault()
    setOver(is)
  }
  return {
    uploads,
    add,
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
