import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { CalendarDays, Mail, MapPin, NotebookPen, Phone, Plus, Users } from 'lucide-react'
import { FieldValue, UserName } from '../../../../records/field-value.tsx'
import { openCreate } from '../../../../records/open-create.ts'
import type { RecordShape } from '../../../../records/records-api.ts'
import type { ObjectShape } from '../../../../records/schema.ts'
import { optionOf } from '../../../../records/value-text.ts'
import { Part } from '../../../../ui/layout.tsx'
import { LoadedList } from '../../../../ui/loaded.tsx'
import { asDay, asFull, asMinute } from '../../../../ui/moments.ts'
import { Message } from '../../../../ui/states.tsx'
import { useAbout } from '../related/relations.ts'
import css from './activities.module.css'

type Props = { object: ObjectShape; activities: ObjectShape; record: RecordShape }

/** Calls, meetings and visits, newest first, day by day. */
export function Activities({ object, activities, record }: Props) {
  const { query } = useAbout(activities, object, record.id, { sort: ['-at'] })
  const add = activities.rights.create && (
    <Button
      variant="default"
      size="xs"
      leftSection={<Plus size={14} aria-hidden="true" />}
      onClick={() => openCreate('activities', { about: [record.id], at: new Date().toISOString() })}
    >
      Log activity
    </Button>
  )
  const none = (
    <Message icon={CalendarDays} title="No activities yet" action={add}>
      Calls, meetings, emails and visits with {String(record.title)} show here in their order.
    </Message>
  )
  return (
    <LoadedList query={query} what="activities" height={44} empty={none}>
      {(records) => (
        <Part title="Timeline" action={add}>
          {[...Map.groupBy(records, ({ at }) => asDay(String(at)))].map(([day, some]) => (
            <section key={day} className={css.day} aria-label={day}>
              <h3>{day}</h3>
              <ol>
                {some.map((one) => (
                  <Activity key={one.id} activities={activities} of={one} />
                ))}
              </ol>
            </section>
          ))}
        </Part>
      )}
    </LoadedList>
  )
}

const icons = { call: Phone, meeting: Users, email: Mail, visit: MapPin } as const

function Activity({ activities, of: one }: { activities: ObjectShape; of: RecordShape }) {
  const Icon = icons[one.kind as keyof typeof icons] ?? NotebookPen
  const field = (key: string) => activities.byKey.get(key)
  const kind = field('kind')
  const people = field('people')
  return (
    <li className={css.activity}>
      <span className={css.icon}>
        <Icon size={14} aria-hidden="true" />
      </span>
      <div className={css.content}>
        <div className={css.head}>
          <Link to="/records/$object/$id" params={{ object: 'activities', id: one.id }} className={css.kind}>
            {(kind && optionOf(kind, one.kind)?.label) ?? String(one.kind)}
          </Link>
          {typeof one.outcome === 'string' && <span dir="auto">{one.outcome}</span>}
          <span className={css.when}>
            {typeof one.duration === 'number' && `${one.duration} min · `}
            <time dateTime={String(one.at)} title={asFull(String(one.at))}>
              {timeOf(String(one.at))}
            </time>
          </span>
        </div>
        {typeof one.body === 'string' && (
          <p className={css.body} dir="auto">
            {one.body}
          </p>
        )}
        <div className={css.with}>
          {people && <FieldValue field={people} value={one.people} />}
          {typeof one.created_by === 'string' && (
            <span className={css.by}>
              by <UserName id={one.created_by} />
            </span>
          )}
        </div>
      </div>
    </li>
  )
}

/** The day stands above already. */
const timeOf = (at: string) =>
  asMinute(at)
    .replace(asDay(at), '')
    .replace(/^[,\s]+/, '')
