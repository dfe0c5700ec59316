import { Link } from '@tanstack/react-router'
import { Bot, History } from 'lucide-react'
import { inSentence } from '../../../contract/shared/in-sentence.ts'
import { type ChangeSet, namedIn, useRecordTitles } from '../../history/change-sets.ts'
import { actorIn, detailsIn, moveIn } from '../../history/change-words.ts'
import { wordsOf } from '../../history/set-row.tsx'
import { type ObjectShape, useSchema } from '../../records/data/schema.ts'
import { Initials } from '../../ui/basics/avatar.tsx'
import { Message } from '../../ui/basics/states.tsx'
import { Ago } from '../../ui/text/ago.tsx'
import { asNearMoment } from '../../ui/text/moments.ts'
import type { WidgetAnswer } from './dashboard-api.ts'
import { WidgetCard } from './widget-card.tsx'
import css from './widgets.module.css'

/** What others did with the user's records since the last visit. */
export function ChangesOnMine({ title, of: { change_sets: sets, since } }: { title: string; of: WidgetAnswer }) {
  const objects = useSchema()
  const titles = useRecordTitles(namedIn(sets))
  return (
    <WidgetCard title={title} subtitle={since && `Since ${inSentenceDay(asNearMoment(since))}`}>
      {sets.length ? (
        <ul className={css.list}>
          {sets.map((set) => (
            <Line key={set.id} of={set} titles={titles} objects={objects} />
          ))}
        </ul>
      ) : (
        <Message size="small" icon={History}>
          No one else has changed your records since your last visit.
        </Message>
      )}
    </WidgetCard>
  )
}

const inSentenceDay = (text: string) => text.replace(/^(Today|Yesterday)/, (word) => word.toLowerCase())

function Line({ of: set, titles, objects }: { of: ChangeSet; titles: Map<string, string>; objects: ObjectShape[] }) {
  const { object = '', record_id } = set.merged ?? set.changes[0] ?? {}
  const [what, title] = wordsOf(set, titles, objects)
  const who = actorIn(set)
  const isRecord = objects.some(({ key }) => key === object)
  const details = moveIn(set.changes, objects) ?? detailsIn(set, objects)
  return (
    <li className={css.row}>
      {set.api_key_id ? (
        <span className={css.bot}>
          <Bot size={15} strokeWidth={1.75} />
        </span>
      ) : (
        <Initials name={who} size={24} />
      )}
      <span className={css.words}>
        <bdi className={css.who}>{set.api_key_id ? (set.client ?? set.api_key_name ?? who) : who}</bdi>{' '}
        <span className={css.dim}>{what && inSentence(what)}</span>{' '}
        {title && record_id && isRecord && (
          <Link to="/records/$object/$id" params={{ object, id: record_id }} className={css.link}>
            <bdi>{title}</bdi>
          </Link>
        )}{' '}
        <span className={css.dim}>{details}</span>
      </span>
      <span className={css.end}>
        <Ago at={set.at} />
      </span>
    </li>
  )
}
