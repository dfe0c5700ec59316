import type { RecordShape } from '../data/records-api.ts'
import type { ObjectShape } from '../data/schema.ts'
import { FileList } from './file-list.tsx'
import { filesIn } from './files.ts'

type Props = { object: ObjectShape | undefined; record: RecordShape }

/** All files of a record, where it is told among others. */
export function RecordFiles({ object, record }: Props) {
  const fields = object?.columns.filter(({ type }) => type === 'file') ?? []
  return <FileList label="Files" files={fields.flatMap(({ key }) => filesIn(record[key]))} />
}
