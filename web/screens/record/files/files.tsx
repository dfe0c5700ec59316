import { Paperclip } from 'lucide-react'
import { useId, useRef } from 'react'
import { type RecordShape, useUpdateRecord } from '../../../records/data/records-api.ts'
import { useRights } from '../../../records/data/rights.ts'
import type { FieldShape, ObjectShape } from '../../../records/data/schema.ts'
import { ChooseFiles, FileList } from '../../../records/files/file-list.tsx'
import css from '../../../records/files/files.module.css'
import { type FileValue, filesIn, refusesTooLarge } from '../../../records/files/files.ts'
import { IconButton } from '../../../ui/basics/icon-button.tsx'
import { Panel } from '../../../ui/basics/layout.tsx'
import { useUploads } from '../../../ui/form/uploads.tsx'
import { asNumber } from '../../../ui/text/numbers.ts'
import related from '../related/related.module.css'

type Props = { object: ObjectShape; record: RecordShape }

/** The files of a record, field by field: dropped, pasted or chosen. */
export const Files = ({ object, record }: Props) =>
  object.columns
    .filter(({ type }) => type === 'file')
    .map((field) => <FilesOf key={field.key} object={object} record={record} field={field} />)

function FilesOf({ object, record, field }: Props & { field: FieldShape }) {
  const id = useId()
  const { mayEdit } = useRights(object)
  const isFixed = !mayEdit(record) || field.is_read_only
  const files = useRef<FileValue[]>([])
  files.current = filesIn(record[field.key])
  const update = useUpdateRecord(object.key, {
    said: () => `${field.label} of ${String(record.title)} changed.`,
  })
  const put = (next: FileValue[]) => {
    files.current = next
    update.mutate({ id: record.id, values: { [field.key]: next.length ? next : null } })
  }
  const uploads = useUploads({
    purpose: 'record',
    onUploaded: (added) => put([...files.current, ...added]),
    refuses: refusesTooLarge,
    isOff: isFixed,
  })
  const count = files.current.length
  return (
    <section className={css.place} aria-labelledby={id} data-over={uploads.isOver || undefined} {...uploads.drop}>
      <header className={related.head}>
        <h3>
          <span id={id}>{field.label}</span> {count > 0 && <span className={related.count}>{asNumber(count)}</span>}
        </h3>
        {!isFixed && (
          <ChooseFiles label={`Add to ${field.label}`} onFiles={uploads.add}>
            {(choose) => <IconButton icon={Paperclip} label="Add files" size={26} onClick={choose} />}
          </ChooseFiles>
        )}
      </header>
      {count + uploads.uploads.length > 0 ? (
        <Panel>
          <FileList
            label={field.label}
            files={files.current}
            uploads={uploads.uploads}
            onRemove={isFixed ? undefined : (file) => put(files.current.filter((one) => one.id !== file.id))}
          />
        </Panel>
      ) : (
        !isFixed && <p className={css.empty}>Drop files here, or paste them.</p>
      )}
    </section>
  )
}
