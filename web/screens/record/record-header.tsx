import { ActionIcon, type ActionIconProps, Menu } from '@mantine/core'
import { createLink, Link, useNavigate } from '@tanstack/react-router'
import {
  ArrowLeft,
  ChevronDown,
  ChevronUp,
  CopyPlus,
  Ellipsis,
  Link2,
  Maximize2,
  Merge,
  OctagonAlert,
  Plus,
  Trash2,
  X,
} from 'lucide-react'
import { useWriteTo } from '../../conversations/write-to.ts'
import { isCompared } from '../../records/data/compared.ts'
import { openCreate } from '../../records/data/open-create.ts'
import { openMerge } from '../../records/data/open-merge.ts'
import { plain } from '../../records/data/record-cache.ts'
import { type RecordShape, useDeleteRecords } from '../../records/data/records-api.ts'
import { useRights } from '../../records/data/rights.ts'
import type { ObjectShape } from '../../records/data/schema.ts'
import { ContactButtons } from '../../records/fields/contact.tsx'
import { RecordFace } from '../../records/fields/record-face.tsx'
import { wayBack } from '../../records/lists/list-search.ts'
import { IconButton } from '../../ui/basics/icon-button.tsx'
import type { As } from '../../ui/basics/links.tsx'
import { say } from '../../ui/basics/notices.tsx'
import { copyText } from '../../ui/text/code.tsx'
import { DuplicatesLine } from './duplicates-line.tsx'
import { Facts } from './facts.tsx'
import { RecordName } from './fields/name.tsx'
import css from './header.module.css'
import { ConvertButton, ConvertedTo, TraceItem } from './lead-header.tsx'
import type { Steps } from './record-panel.tsx'
import { Stages } from './stages.tsx'
import { type Composing, composing, useComposing } from './timeline/composer.tsx'

const IconLink = createLink((props: As<ActionIconProps>) => <ActionIcon component="a" {...props} />)

type Props = {
  object: ObjectShape
  record: RecordShape
  isSlim: boolean
  steps: Steps
  onCompose: (what: Composing) => void
}

/** What the record is, how it stands, and what one can do. */
export function RecordHeader({ object, record, isSlim, steps, onCompose }: Props) {
  const isBeside = steps.onClose !== undefined
  const choices = useChoices(object)
  const writeTo = useWriteTo()
  return (
    <header className={css.header} data-beside={isBeside || undefined}>
      <div className={css.bar}>
        <nav aria-label="Breadcrumbs" className={css.crumbs}>
          {!isBeside && (
            <Link to="/records/$object" params={{ object: object.key }} search={wayBack(object.key).search}>
              <ArrowLeft size={14} />
              {object.label_plural}
            </Link>
          )}
          <Neighbours {...steps} />
          {isBeside && <span>{object.label}</span>}
        </nav>
        <DuplicatesLine object={object} record={record} />
        <div className={css.actions}>
          {isSlim && choices.length > 0 && <AddMenu choices={choices} onCompose={onCompose} />}
          <RecordActions object={object} record={record} onClose={steps.onClose} />
        </div>
      </div>
      {record.do_not_contact === true && (
        <p className={css.warning} role="note">
          <OctagonAlert size={16} />
          Do not contact {String(record.title)}
        </p>
      )}
      <div className={css.top}>
        <RecordFace object={object.key} title={String(record.title)} size={isBeside ? 36 : 44} id={record.id} />
        <RecordName object={object} record={record} as={isBeside ? 'h2' : 'h1'} />
        <div className={css.compose}>
          {record.do_not_contact !== true && <ContactButtons object={object} record={record} onWrite={writeTo} />}
          <ConvertButton object={object} record={record} />
        </div>
      </div>
      <ConvertedTo object={object} record={record} />
      <Stages object={object} record={record} />
      <Facts object={object} record={record} isSlim={isSlim} onCompose={onCompose} />
    </header>
  )
}

const Neighbours = ({ onPrevious, onNext }: Steps) =>
  (onPrevious || onNext) && (
    <span className={css.neighbours}>
      {[
        { name: 'Previous record', key: '↑', act: onPrevious, Icon: ChevronUp },
        { name: 'Next record', key: '↓', act: onNext, Icon: ChevronDown },
      ].map(({ name, key, act, Icon }) => (
        <IconButton
          icon={Icon}
          label={name}
          size={28}
          key={name}
          title={`${name} (Alt ${key})`}
          disabled={!act}
          onClick={act}
        />
      ))}
    </span>
  )

/** What can be added, in words: next to a button that calls, another with a telephone would be a riddle. */
const useChoices = (object: ObjectShape) =>
  useComposing(object).map((what) => {
    const { name, log = name, icon, logIcon: Icon = icon } = composing[what]
    return { what, name: log, icon: <Icon size={14} /> }
  })

type AddMenuProps = { choices: ReturnType<typeof useChoices>; onCompose: (what: Composing) => void }

const AddMenu = ({ choices, onCompose }: AddMenuProps) => (
  <Menu position="bottom-end" width={190} returnFocus={false}>
    <Menu.Target>
      <IconButton icon={Plus} label="Add" size={32} title="Add a note, a call or a task" />
    </Menu.Target>
    <Menu.Dropdown aria-label="Add">
      {choices.map(({ what, name, icon }) => (
        <Menu.Item key={what} leftSection={icon} onClick={() => onCompose(what)}>
          {name}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
)

type ActionsProps = Pick<Props, 'object' | 'record'> & { onClose: (() => void) | undefined }

function RecordActions({ object, record, onClose }: ActionsProps) {
  const navigate = useNavigate()
  const { mayEdit, mayDelete } = useRights(object)
  const { mutate } = useDeleteRecords(object.key, () => `${String(record.title)} moved to the trash.`)
  const copy = async () => {
    const link = `${location.origin}/records/${object.key}/${record.id}`
    say((await copyText(link)) ? 'Link copied.' : `Copy it manually: ${link}`)
  }
  const remove = () => {
    mutate([record.id])
    if (onClose) onClose()
    else void navigate({ to: '/records/$object', params: { object: object.key }, search: wayBack(object.key).search })
  }
  return (
    <>
      <Menu position="bottom-end" width={190}>
        <Menu.Target>
          <IconButton icon={Ellipsis} label="More actions" size={32} />
        </Menu.Target>
        <Menu.Dropdown aria-label="More actions">
          <Menu.Item leftSection={<Link2 size={14} />} onClick={copy}>
            Copy link
          </Menu.Item>
          {object.rights.create && (
            <Menu.Item
              leftSection={<CopyPlus size={14} />}
              onClick={() => openCreate(object.key, copyOf(object, record))}
            >
              Duplicate
            </Menu.Item>
          )}
          {isCompared(object) && (mayEdit(record) || mayDelete(record)) && object.rights.delete !== 'none' && (
            <Menu.Item
              leftSection={<Merge size={14} />}
              onClick={() => openMerge({ object: object.key, ids: [record.id] })}
            >
              Merge with…
            </Menu.Item>
          )}
          <TraceItem object={object} record={record} />
          {mayDelete(record) && (
            <Menu.Item leftSection={<Trash2 size={14} />} onClick={remove}>
              Move to the trash
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {onClose && (
        <>
          <IconLink
            to="/records/$object/$id"
            params={{ object: object.key, id: record.id }}
            variant="subtle"
            color="gray"
            size={32}
            aria-label="Open as a page"
            title="Open as a page"
          >
            <Maximize2 size={15} />
          </IconLink>
          <IconButton icon={X} label="Close" size={32} onClick={onClose} />
        </>
      )}
    </>
  )
}

/** What a second record may share with this one. */
const copyOf = (object: ObjectShape, record: RecordShape) =>
  Object.fromEntries(
    object.fields
      .filter(({ key, is_unique, is_read_only }) => !is_unique && !is_read_only && record[key] !== undefined)
      .map(({ key }) => [key, plain(record[key])]),
  )
