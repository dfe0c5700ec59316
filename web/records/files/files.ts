// Files of records as the web app handles them.
import { queryOptions } from '@tanstack/react-query'
import { mostUploadMb } from '../../../contract/shared/limits.ts'
import { api } from '../../client/api.ts'
import { say } from '../../ui/basics/notices.tsx'

export type FileValue = { id: string; name: string; type: string; size: number }

export const filesIn = (value: unknown) => (Array.isArray(value) ? (value as FileValue[]) : [])

export const hrefOf = (file: Pick<FileValue, 'id'>) => `/app/api/files/${file.id}/content`

export function refusesTooLarge(files: File[]) {
  const large = files.find(({ size }) => size > mostUploadMb * 1024 * 1024)
  if (large) say(`${large.name} is larger than ${mostUploadMb} MB. Add a link to it instead.`)
  return large !== undefined
}

/** Larger files are only offered for download. */
const mostShownBytes = 20 * 1024 * 1024
const mostShownTextBytes = 1024 * 1024

export type PreviewKind = 'picture' | 'pdf' | 'text'

/** By what the server found in it, never by its name. */
export function previewOf({ type, size }: FileValue): PreviewKind | undefined {
  if (type.startsWith('text/')) return size <= mostShownTextBytes ? 'text' : undefined
  if (size > mostShownBytes) return undefined
  if (type.startsWith('image/')) return 'picture'
  return type === 'application/pdf' ? 'pdf' : undefined
}

export const contentQuery = ({ id }: FileValue) =>
  queryOptions({
    queryKey: ['file content', id],
    queryFn: ({ signal }) => api.downloadFile({ id }, { signal }),
    staleTime: Infinity,
    gcTime: 60_000,
  })
