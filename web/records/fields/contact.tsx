// One tap calls or writes.
import { Button, Menu } from '@mantine/core'
import { Mail, MessageSquare, Phone } from 'lucide-react'
import type { MouseEvent } from 'react'
import type { RecordShape } from '../data/records-api.ts'
import type { FieldShape, ObjectShape } from '../data/schema.ts'
import { mailtoOf } from '../data/value-text.ts'
import { usePhoneText } from './phone.ts'

const valuesOf = (object: ObjectShape, record: RecordShape, type: FieldShape['type']) =>
  object.fields.filter((field) => field.type === type).flatMap(({ key }) => [record[key] ?? []].flat().map(String))

/** The numbers and addresses of a record, in the order of its fields. */
export const contactsOf = (object: ObjectShape, record: RecordShape) => ({
  numbers: valuesOf(object, record, 'phone'),
  emails: valuesOf(object, record, 'email'),
})

type Write = (to: string) => void
type Props = {
  object: ObjectShape
  record: RecordShape
  /** Without it, the mail program of the computer writes to an address, and nothing to a number. */
  onWrite?: { email: Write | undefined; phone: Write | undefined }
}

/** With words: beside them stand the buttons that log a call or an email. */
export function ContactButtons({ object, record, onWrite }: Props) {
  const { numbers, emails } = contactsOf(object, record)
  const title = String(record.title)
  return (
    <>
      {numbers.length > 0 && (
        <Reach name="Call" whom={title} icon={Phone} ways={numbers} hrefOf={telOf} Text={PhoneText} />
      )}
      {numbers.length > 0 && onWrite?.phone && (
        <Reach
          name="Message"
          whom={title}
          icon={MessageSquare}
          ways={numbers}
          hrefOf={smsOf}
          onReach={onWrite.phone}
          Text={PhoneText}
        />
      )}
      {emails.length > 0 && (
        <Reach
          name="Email"
          whom={title}
          icon={Mail}
          ways={emails}
          hrefOf={mailtoOf}
          onReach={onWrite?.email}
          Text={Written}
        />
      )}
    </>
  )
}

export const telOf = (number: string) => `tel:${number}`
const smsOf = (number: string) => `sms:${number}`
export const PhoneText = ({ of }: { of: string }) => usePhoneText(of)
const Written = ({ of }: { of: string }) => of

type ReachProps = {
  name: string
  whom: string
  icon: typeof Phone
  ways: string[]
  hrefOf: (way: string) => string
  /** Instead of following the link. */
  onReach?: ((way: string) => void) | undefined
  Text: (props: { of: string }) => string
}

/** Of several numbers or addresses, one is chosen. */
function Reach({ name, whom, icon: Icon, ways, hrefOf, onReach, Text }: ReachProps) {
  const to = (way: string) => ({
    href: hrefOf(way),
    ...(onReach && {
      onClick: (event: MouseEvent) => {
        event.preventDefault()
        onReach(way)
      },
    }),
  })
  const look = { variant: 'default', size: 'xs', leftSection: <Icon size={14} /> } as const
  const label = { 'aria-label': `${name} ${whom}`, title: ways.length === 1 ? ways[0] : undefined }
  if (ways.length === 1)
    return (
      <Button {...look} {...label} component="a" {...to(ways[0]!)}>
        {name}
      </Button>
    )
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button {...look} {...label}>
          {name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown aria-label={name}>
        {ways.map((way) => (
          <Menu.Item key={way} component="a" {...to(way)}>
            <Text of={way} />
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
