import { getRouteApi } from '@tanstack/react-router'
import { isId } from '../../../../contract/shared/ids.ts'
import { useKept } from '../../../records/data/kept.ts'
import { type Choices, noChoices } from '../choices.ts'

export type MovedFile = {
  id: string
  name: string
  /** As chosen; null: left out. Before that, as the plan says. */
  object?: string | null
  choices: Choices
}

/** The files of a move and what was decided about them. Kept in this tab, so that a reload loses nothing. */
export function useMove() {
  const [files, keep] = useKept<MovedFile[]>('move', [])
  const [job, keepJob] = useKept<string | undefined>('move job', undefined)
  return {
    files,
    /** That imports them, or has done so. */
    job,
    started: keepJob,
    add: (some: { id: string; name: string }[]) =>
      keep([...files, ...some.map(({ id, name }) => ({ id, name, choices: noChoices }))]),
    remove: (id: string) => keep(files.filter((file) => file.id !== id)),
    /** Columns of another object mean something else. */
    putInto: (id: string, object: string | null) =>
      keep(files.map((file) => (file.id === id ? { ...file, object, choices: noChoices } : file))),
    choose: (patches: Record<string, Partial<Choices>>) =>
      keep(files.map((file) => ({ ...file, choices: { ...file.choices, ...patches[file.id] } }))),
    forget: () => {
      keep(undefined)
      keepJob(undefined)
    },
  }
}
export type Move = ReturnType<typeof useMove>

/** How far the move is, as the address has it: a reload, or the browser's back button, lands on the same step. */
export type MoveSearch = {
  step?: 'plan' | 'columns' | 'matching'
  /** The file whose columns are shown. */
  file?: string
  /** The job that checks the move. */
  check?: string
  /** The job that imports it. */
  job?: string
}

export const steps = ['Files', 'Plan', 'Check', 'Move'] as const

export const stepOf = ({ step, check, job }: MoveSearch) => (job ? 3 : check ? 2 : step ? 1 : 0)

const known: unknown[] = ['plan', 'columns', 'matching'] satisfies MoveSearch['step'][]

export function readMoveSearch({ step, file, check, job }: Record<string, unknown>): MoveSearch {
  const id = (value: unknown) => (isId(String(value)) ? String(value) : undefined)
  const read = { step: known.includes(step) ? step : undefined, file: id(file), check: id(check), job: id(job) }
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined))
}

const route = getRouteApi('/frame/move')

export function useMoveSearch() {
  const search = readMoveSearch(route.useSearch())
  const navigate = route.useNavigate()
  const go = (next: MoveSearch) => void navigate({ search: readMoveSearch(next) })
  return [search, go] as const
}
