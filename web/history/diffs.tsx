import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import type { ObjectShape } from '../records/schema.ts'
import css from './activity.module.css'
import { ChangeFields } from './change-fields.tsx'
import type { Change } from './change-sets.ts'
import { inWords } from './change-words.ts'
import { useRecordTitles } from './record-titles.ts'

type Props = { id: string; changes: Change[]; objects: ObjectShape[] }

/** What one call changed, field by field; the same change of several records is told once. */
export function Diffs({ id, changes, objects }: Props) {
  const titles = useRecordTitles(changes.map(({ record_id }) => record_id))
  const groups = alike(changes)
  return (
    <div id={id} className={css.diffs}>
      {groups.map((group) => {
        const [first] = group as [Change]
        const object = objects.find(({ key }) => key === first.object)
        return (
          <div key={first.record_id + first.action} className={css.diff}>
            <p>
              {groups.length > 1 && `${inWords(group, objects)}: `}
              {group.map(({ record_id }, i) => (
                <Fragment key={record_id}>
                  {i > 0 && ', '}
                  <Title object={object} id={record_id} title={titles.get(record_id)} />
                </Fragment>
              ))}
            </p>
            <ChangeFields change={first} object={object} />
          </div>
        )
      })}
    </div>
  )
}

function alike(changes: Change[]) {
  const same = ({ object, action, fields }: Change) => JSON.stringify([object, action, fields])
  return [...Map.groupBy(changes, same).values()]
}

type TitleProps = { object: ObjectShape | undefined; id: string; title: string | undefined }

function Title({ object, id, title = 'A deleted record' }: TitleProps) {
  // Settings, users and roles have no title of their own here.
  if (!object) return null
  const name = <bdi className={css.title}>{title}</bdi>
  return (
    <Link to="/records/$object/$id" params={{ object: object.key, id }} className={css.link}>
      {name}
    </Link>
  )
}
