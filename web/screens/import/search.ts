import { useNavigate, useSearch } from '@tanstack/react-router'
import { isId } from '../../../contract/ids.ts'

/** How far the import is, as the address has it: a reload, or the browser's back button, lands on the same step. */
export type ImportSearch = {
  /** The uploaded file. */
  file?: string
  step?: 'matching'
  /** The job that checks the file. */
  check?: string
  /** The job that imports it. */
  job?: string
}

export const steps = ['File', 'Columns', 'Matching', 'Check', 'Import'] as const

export function stepOf({ file, step, check, job }: ImportSearch) {
  if (job) return 4
  if (!file) return 0
  return check ? 3 : step === 'matching' ? 2 : 1
}

export function readImportSearch({ file, step, check, job }: Record<string, unknown>): ImportSearch {
  const id = (value: unknown) => (isId(String(value)) ? String(value) : undefined)
  const read = { file: id(file), step: step === 'matching' ? 'matching' : undefined, check: id(check), job: id(job) }
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined))
}

export function useImportSearch() {
  const search = readImportSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const go = (next: ImportSearch) => void navigate({ to: '.', search: readImportSearch(next) as never })
  return [search, go] as const
}
