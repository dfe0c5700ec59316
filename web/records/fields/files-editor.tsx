import { Button, Input } from '@mantine/core'
import { Paperclip } from 'lucide-react'
import { useRef } from 'react'
import { useUploads } from '../../ui/form/uploads.tsx'
import { ChooseFiles, FileList } from '../files/file-list.tsx'
import css from '../files/files.module.css'
import { type FileValue, filesIn, refusesTooLarge } from '../files/files.ts'
import type { EditorProps } from './editor.ts'

/** Files of a form: they are uploaded at once, and become the record's when it is saved. */
export function FilesEditor({ field, value, onChange, error }: EditorProps) {
  const files = useRef<FileValue[]>([])
  files.current = filesIn(value)
  const put = (next: FileValue[]) => {
    files.current = next
    onChange(next.length ? next : null)
  }
  const uploads = useUploads({
    purpose: 'record',
    onUploaded: (added) => put([...files.current, ...added]),
    refuses: refusesTooLarge,
  })
  return (
    <Input.Wrapper
      label={field.label}
      description={field.description || undefined}
      withAsterisk={field.is_required}
      error={error}
      size="sm"
      className={css.place}
      data-over={uploads.isOver || undefined}
      {...uploads.drop}
    >
      <FileList
        label={field.label}
        files={files.current}
        uploads={uploads.uploads}
        onRemove={({ id }) => put(files.current.filter((one) => one.id !== id))}
      />
      <ChooseFiles label={`Add to ${field.label}`} onFiles={uploads.add}>
        {(choose) => (
          <Button variant="default" size="compact-sm" leftSection={<Paperclip size={14} />} onClick={choose}>
            Add files
          </Button>
        )}
      </ChooseFiles>
    </Input.Wrapper>
  )
}
