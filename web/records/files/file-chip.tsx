import { FileImage, File as FilePlain, FileText } from 'lucide-react'
import css from './files.module.css'
import { type FileValue, hrefOf, previewOf } from './files.ts'

/** Among other values, such as in a list. */
export function FileChip({ file, tabIndex }: { file: FileValue; tabIndex?: number | undefined }) {
  return (
    <a
      className={css.chip}
      href={hrefOf(file)}
      download={file.name}
      tabIndex={tabIndex}
      onClick={(event) => event.stopPropagation()}
    >
      <FileIcon file={file} />
      <bdi>{file.name}</bdi>
    </a>
  )
}

export function FileIcon({ file }: { file: FileValue }) {
  const kind = previewOf(file)
  const Icon = kind === 'picture' ? FileImage : kind ? FileText : FilePlain
  return <Icon size={15} className={css.icon} aria-hidden />
}
