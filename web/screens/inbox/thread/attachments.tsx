import { Menu } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { FolderPlus, Paperclip } from 'lucide-react'
import { api } from '../../../client/api.ts'
import type { Message, Thread } from '../../../conversations/inbox.ts'
import { recordsChanged } from '../../../records/data/record-cache.ts'
import { useSchema } from '../../../records/data/schema.ts'
import { saidAndUndoable } from '../../../records/data/undo.ts'
import { IconButton } from '../../../ui/basics/icon-button.tsx'
import { complain } from '../../../ui/basics/notices.tsx'
import { asSize } from '../../../ui/text/numbers.ts'
import { useThread } from '../state/use-thread.ts'
import css from './message.module.css'

type Attached = { id: string; name: string; size: number }
type Props = { files: Attached[]; hrefOf: (id: string) => string; more?: (file: Attached) => React.ReactNode }

/** Files to download. */
export const Attachments = ({ files, hrefOf, more }: Props) => (
  <ul className={css.files} aria-label="Files">
    {files.map((file) => (
      <li key={file.id}>
        <a href={hrefOf(file.id)} download={file.name} className={css.file}>
          <Paperclip size={14} />
          <bdi>{file.name}</bdi>
          <small>{asSize(file.size)}</small>
        </a>
        {more?.(file)}
      </li>
    ))}
  </ul>
)

/** Files of a message, which can be added to the records that its conversation is linked to. */
export function MessageFiles({ of: { id, conversation_id, files } }: { of: Message }) {
  const attached = files.filter(({ is_inline }) => !is_inline)
  const { first } = useThread(conversation_id)
  if (!attached.length) return null
  return (
    <Attachments
      files={attached}
      hrefOf={(file) => `/app/api/messages/${id}/files/${file}`}
      more={(file) => <AddToRecord message_id={id} file={file} links={first?.links ?? []} />}
    />
  )
}

type AddProps = { message_id: string; file: Attached; links: Thread['links'] }

function AddToRecord({ message_id, file, links }: AddProps) {
  const client = useQueryClient()
  const objects = useSchema()
  const { mutate, isPending } = useMutation({
    mutationFn: ({ object, id }: Thread['links'][number]) =>
      api.createRecordFile({ object, id, message_id, file_id: file.id }),
    onSuccess: ({ change_set_id }, { object, id, title }) => {
      void recordsChanged(client, object)
      saidAndUndoable(`${file.name} added to ${title}.`, change_set_id, [id])
    },
    onError: (error) => complain(`${file.name} was not added`, error),
  })
  const mayEdit = (key: string) => objects.some((one) => one.key === key && one.rights.edit !== 'none')
  const targets = links.filter(({ object }) => mayEdit(object))
  if (!targets.length) return null
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <IconButton
          icon={FolderPlus}
          label={`Add ${file.name} to a record`}
          title="Add to a record"
          size={28}
          disabled={isPending}
        />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Add to</Menu.Label>
        {targets.map((link) => (
          <Menu.Item key={link.id} onClick={() => mutate(link)}>
            <bdi>{link.title}</bdi>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
