import { Paperclip } from 'lucide-react'
import { asSize } from '../../../ui/text/numbers.ts'
import css from './message.module.css'

type Props = { files: { id: string; name: string; size: number }[]; hrefOf: (id: string) => string }

/** Files to download. */
export const Attachments = ({ files, hrefOf }: Props) => (
  <ul className={css.files} aria-label="Files">
    {files.map((file) => (
      <li key={file.id}>
        <a href={hrefOf(file.id)} download={file.name} className={css.file}>
          <Paperclip size={14} />
          <bdi>{file.name}</bdi>
          <small>{asSize(file.size)}</small>
        </a>
      </li>
    ))}
  </ul>
)
