import { counted } from '../records/counted.ts'
import type { ObjectShape } from '../records/schema.ts'
import type { Figure } from '../ui/figures.tsx'
import { asNumber } from '../ui/numbers.ts'
import type { Job } from './jobs.ts'

/** What an import did to the rows of its file; of a dry run, what it would do. */
export function importFigures({ result, failed }: Job): Figure[] {
  const { dry_run, created = 0, updated = 0, unchanged = 0 } = result ?? {}
  const word = (past: string) => (dry_run ? `to be ${past}` : past)
  return [
    { count: created, label: word('created') },
    { count: updated, label: word('updated') },
    { count: unchanged, label: 'unchanged' },
    { count: failed, label: failed === 1 ? 'row with a problem' : 'rows with problems', tone: 'warn' },
  ]
}

/** "14 organizations and 2 options of Industry": what an import creates besides its rows. */
export function alsoCreated({ object: key, result }: Job, objects: ObjectShape[]) {
  const { related_created = {}, options_created = {} } = result ?? {}
  const object = objects.find((one) => one.key === key)
  const related = Object.entries(related_created).flatMap(([other, count]) => {
    const shape = objects.find((one) => one.key === other)
    return count && shape ? [counted(count, shape)] : []
  })
  const options = Object.entries(options_created).flatMap(([field, count]) =>
    count
      ? [`${asNumber(count)} ${count === 1 ? 'option' : 'options'} of ${object?.byKey.get(field)?.label ?? field}`]
      : [],
  )
  return [...related, ...options]
}
