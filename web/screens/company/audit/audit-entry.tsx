import { ChevronRight } from 'lucide-react'
import type { contract } from '../../../../contract/index.ts'
import type { Output } from '../../../../contract/operation.ts'
import { nameOfDoor } from '../../../history/doors.ts'
import { Ago } from '../../../ui/ago.tsx'
import { sentenceOf } from '../audit-words.ts'
import css from './audit.module.css'
import { AuditDetails } from './audit-details.tsx'

export type AuditEvent = Output<typeof contract.queryAuditLog>['items'][number]

type Props = { of: AuditEvent; nameOf: (id: unknown) => string }

/** Who did what, when and via which interface; the rest on demand. */
export function AuditEntry({ of: event, nameOf }: Props) {
  const { action, actor_id, actor_name, target_id, target_name, data } = event
  const self = actor_id !== null && actor_id === target_id
  const name = target_name ?? nameOf(target_id)
  const told = {
    data,
    target: self ? 'themselves' : name,
    targets: self ? 'their own' : name === 'somebody' ? "somebody's" : `${name}'s`,
    other: self || !target_id ? '' : name,
    nameOf,
    isActor: (id: unknown) => id === actor_id,
  }
  return (
    <li className={css.entry}>
      <details>
        <summary>
          <ChevronRight size={14} className={css.arrow} aria-hidden="true" />
          <span className={css.words} data-tone={isRefusal(action) ? 'warn' : undefined}>
            <bdi className={css.actor}>{actor_name ?? (event.via === 'automation' ? 'Kith' : 'Someone')}</bdi>{' '}
            {sentenceOf(action, told)}
          </span>
          <span className={css.door}>{nameOfDoor(event.via)}</span>
          <span className={css.when}>
            <Ago at={event.at} />
          </span>
        </summary>
        <AuditDetails of={event} />
      </details>
    </li>
  )
}

const isRefusal = (action: string) => action.endsWith('.refused') || action.endsWith('.throttled')
