import { Link } from '@tanstack/react-router'
import { Check, Minus } from 'lucide-react'
import type { MouseEvent, ReactNode } from 'react'
import { isMomentText } from '../../../contract/filter/days.ts'
import type { FieldOption } from '../../../contract/objects.ts'
import { isId } from '../../../contract/shared/ids.ts'
import { inSentence } from '../../../contract/shared/in-sentence.ts'
import { Initials } from '../../ui/basics/avatar.tsx'
import { asFull } from '../../ui/text/moments.ts'
import { useUser } from '../../users/users.ts'
import { idOf, type Related, type Titled, titledIn, useTitle } from '../data/records-api.ts'
import { type FieldShape, useSchema } from '../data/schema.ts'
import { asMoney, isEmpty, type Money, mailtoOf, optionOf, textOf } from '../data/value-text.ts'
import { FileChip } from '../files/file-chip.tsx'
import type { FileValue } from '../files/files.ts'
import css from './field-value.module.css'
import { usePhoneText } from './phone.ts'

type Props = {
  field: FieldShape
  value: unknown
  /** In the cells of a grid, which has its own way of moving: the links take no place in the order of Tab. */
  tabIndex?: number
  /** What stands where there is nothing. */
  empty?: ReactNode
}

/** A value of any type, for reading. */
export function FieldValue({ field, value, tabIndex, empty = null }: Props) {
  if (isEmpty(value)) return empty
  if (!Array.isArray(value)) return <One field={field} value={value} tabIndex={tabIndex} />
  return (
    <span
      className={css.several}
      data-several={value.length > 1 || undefined}
      data-lines={(value.length > 1 && outward.has(field.type)) || undefined}
    >
      {value.map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the place in the list is what tells two values apart
        <One key={index} field={field} value={one} tabIndex={tabIndex} />
      ))}
    </span>
  )
}

/** Numbers and addresses need a separator to show where each ends. */
const outward = new Set<FieldShape['type']>(['phone', 'email', 'url'])

type OneProps = { field: FieldShape; value: unknown; tabIndex: number | undefined }

function One({ field, value, tabIndex }: OneProps) {
  switch (field.type) {
    case 'select':
    case 'multi_select':
      return <OptionBadge option={optionOf(field, value)} value={String(value)} />
    case 'user':
      return <UserName id={String(value)} />
    case 'relation':
      return <RecordChip related={value as Related} field={field} tabIndex={tabIndex} />
    case 'boolean':
      return value ? (
        <Check size={15} className={css.yes} role="img" aria-label="Yes" />
      ) : (
        <Minus size={15} className={css.no} role="img" aria-label="No" />
      )
    case 'money':
      return <span className={css.number}>{asMoney(value as Money)}</span>
    case 'number':
      return <span className={css.number}>{textOf(field, value)}</span>
    case 'datetime':
      return (
        <time
          className={css.plain}
          dateTime={String(value)}
          title={isMomentText(String(value)) ? asFull(String(value)) : undefined}
        >
          {textOf(field, value)}
        </time>
      )
    case 'file':
      return <FileChip file={value as FileValue} tabIndex={tabIndex} />
    case 'email':
      return <Outward href={mailtoOf(String(value))} text={String(value)} tabIndex={tabIndex} />
    case 'phone':
      return <PhoneLink number={String(value)} tabIndex={tabIndex} />
    case 'url':
      return <Outward href={String(value)} text={bareUrl(String(value))} tabIndex={tabIndex} opens />
    default:
      return (
        <span className={css.plain} dir="auto">
          {textOf(field, value)}
        </span>
      )
  }
}

export const UserName = ({ id }: { id: string }) => (isId(id) ? <FoundUser id={id} /> : <bdi>{id}</bdi>)

function FoundUser({ id }: { id: string }) {
  const user = useUser(id)
  if (user === undefined) return <span className={css.waiting}>…</span>
  if (user === null) return <span className={css.gone}>Unknown user</span>
  return (
    <span className={css.user}>
      <Initials name={user.name} pictureId={user.picture_id} size={20} />
      <span dir="auto">{user.name}</span>
    </span>
  )
}

type ChipProps = { related: Related; field: FieldShape; tabIndex?: number | undefined }

function RecordChip({ related, field, tabIndex }: ChipProps) {
  // Typed, and nothing of that name was found.
  if (typeof related === 'string' && !isId(related)) return <bdi>{related}</bdi>
  return <FoundChip related={related} field={field} tabIndex={tabIndex} />
}

function FoundChip({ related, field, tabIndex }: ChipProps) {
  const { data: title, isError } = useTitle(idOf(related), titledIn(related, field))
  if (title === undefined) return <span className={css.waiting}>{isError ? 'Could not load' : '…'}</span>
  if (title === null) return <DeletedRecord field={field} />
  return <TitleChip titled={title} tabIndex={tabIndex} />
}

function DeletedRecord({ field }: { field: FieldShape }) {
  const deleted = useDeletedWord()
  return <span className={css.gone}>{deleted(field)}</span>
}

/** What stands for a deleted record: "Deleted organization". One that links to several objects may also be hidden. */
export function useDeletedWord() {
  const schema = useSchema()
  return ({ to_objects }: Pick<FieldShape, 'to_objects'>) => {
    const object = to_objects?.length === 1 ? schema.find(({ key }) => key === to_objects[0]) : undefined
    return object ? `Deleted ${inSentence(object.label)}` : 'Not found'
  }
}

/** A link, unless this user cannot open the record. */
export function TitleChip({ titled, tabIndex }: { titled: Titled; tabIndex?: number | undefined }) {
  const { object, id, title, is_private } = titled
  if (is_private)
    return (
      <span className={css.gone} dir="auto">
        {title}
      </span>
    )
  return (
    <Link to="/records/$object/$id" params={{ object, id }} className={css.chip} tabIndex={tabIndex} onClick={stop}>
      <span dir="auto">{title}</span>
    </Link>
  )
}

const Outward = ({
  href,
  text,
  tabIndex,
  opens = false,
}: {
  href: string
  text: string
  tabIndex: number | undefined
  opens?: boolean
}) => (
  <a
    href={href}
    className={css.link}
    tabIndex={tabIndex}
    onClick={stop}
    {...(opens && { target: '_blank', rel: 'noreferrer' })}
  >
    {text}
  </a>
)

const PhoneLink = ({ number, tabIndex }: { number: string; tabIndex: number | undefined }) => (
  <Outward href={`tel:${number}`} text={usePhoneText(number)} tabIndex={tabIndex} />
)

/** The cell around it has plans of its own for a click. */
const stop = (event: MouseEvent) => event.stopPropagation()

const bareUrl = (url: string) => url.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '')

const byKind = { open: 'blue', won: 'green', lost: 'gray' } as const

/** A choice of a select, in its colour. A key whose option is gone shows as it is. */
export function OptionBadge({ option, value }: { option: FieldOption | undefined; value: string }) {
  const color = option?.color ?? (option?.kind && byKind[option.kind]) ?? 'gray'
  return (
    <span className={css.option} data-color={color}>
      <span>{option?.label ?? value}</span>
    </span>
  )
}
