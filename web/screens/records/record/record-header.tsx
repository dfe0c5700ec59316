import { ActionIcon, Menu } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowLeft, ChevronDown, ChevronUp, Ellipsis, Link2, Maximize2, Trash2, X } from 'lucide-react'
import { lastList } from '../../../records/list-search.ts'
import { RecordFace } from '../../../records/record-face.tsx'
import { type RecordShape, useDeleteRecords } from '../../../records/records-api.ts'
import type { ObjectShape } from '../../../records/schema.ts'
import { copyText } from '../../../ui/code.tsx'
import { say } from '../../../ui/notices.tsx'
import css from './record.module.css'
import type { Steps } from './record-panel.tsx'
import { useRights } from './rights.ts'

type Props = {
  object: ObjectShape
  record: RecordShape
  /** Beside a list. Left out on the page of the record. */
  beside?: Steps | undefined
}

export function RecordHeader({ object, record, beside }: Props) {
  const title = String(record.title)
  const Heading = beside ? 'h2' : 'h1'
  return (
    <header className={css.header}>
      <div className={css.bar}>
        {beside ? (
          <Neighbours {...beside} label={object.label} />
        ) : (
          <nav aria-label="Where this is" className={css.crumbs}>
            <Link to="/records/$object" params={{ object: object.key }} search={lastList(object.key)}>
              <ArrowLeft size={14} aria-hidden="true" />
              {object.label_plural}
            </Link>
          </nav>
        )}
        <RecordActions object={object} record={record} onClose={beside?.onClose} />
      </div>
      <div className={css.who}>
        <RecordFace object={object.key} title={title} size={36} id={record.id} />
        <Heading tabIndex={-1} className={css.title} dir="auto">
          {title}
        </Heading>
      </div>
    </header>
  )
}

const Neighbours = ({ onPrevious, onNext, label }: Steps & { label: string }) => (
  <div className={css.kind}>
    {[
      { name: 'Previous record', key: '↑', act: onPrevious, Icon: ChevronUp },
      { name: 'Next record', key: '↓', act: onNext, Icon: ChevronDown },
    ].map(({ name, key, act, Icon }) => (
      <ActionIcon
        key={name}
        variant="subtle"
        color="gray"
        size={28}
        aria-label={name}
        title={`${name} (Alt ${key})`}
        disabled={!act}
        onClick={act}
      >
        <Icon size={16} aria-hidden="true" />
      </ActionIcon>
    ))}
    {label}
  </div>
)

type ActionsProps = Pick<Props, 'object' | 'record'> & { onClose: (() => void) | undefined }

function RecordActions({ object, record, onClose }: ActionsProps) {
  const navigate = useNavigate()
  const { mayDelete } = useRights(object)
  const { mutate } = useDeleteRecords(object.key, () => `${String(record.title)} moved to the trash.`)
  const copy = async () => {
    const link = `${location.origin}/records/${object.key}/${record.id}`
    say((await copyText(link)) ? 'Link copied.' : `Copy it by hand: ${link}`)
  }
  const remove = () => {
    mutate([record.id])
    if (onClose) onClose()
    else void navigate({ to: '/records/$object', params: { object: object.key }, search: lastList(object.key) })
  }
  return (
    <div className={css.actions}>
      <ActionIcon variant="subtle" color="gray" size={32} aria-label="Copy link" title="Copy link" onClick={copy}>
        <Link2 size={16} aria-hidden="true" />
      </ActionIcon>
      {mayDelete(record) && (
        <Menu position="bottom-end" width={180}>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" size={32} aria-label="More actions">
              <Ellipsis size={16} aria-hidden="true" />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown aria-label="More actions">
            <Menu.Item leftSection={<Trash2 size={14} aria-hidden="true" />} onClick={remove}>
              Move to the trash
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      {onClose && (
        <>
          <ActionIcon
            component={Link}
            to="/records/$object/$id"
            params={{ object: object.key, id: record.id } as never}
            variant="subtle"
            color="gray"
            size={32}
            aria-label="Open as a page"
            title="Open as a page"
          >
            <Maximize2 size={15} aria-hidden="true" />
          </ActionIcon>
          <ActionIcon variant="subtle" color="gray" size={32} aria-label="Close" title="Close" onClick={onClose}>
            <X size={17} aria-hidden="true" />
          </ActionIcon>
        </>
      )}
    </div>
  )
}
