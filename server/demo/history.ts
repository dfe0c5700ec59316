// The audit log and the first Admin's notifications of the last two months.
import { randomUUID } from 'node:crypto'
import type { AuditAction, doors } from '../../contract/audit.ts'
import type { NotificationKind } from '../../contract/notifications.ts'
import { noteVisits } from '../accounts/users/visits.ts'
import type { NotificationData } from '../notifications/notification-text.ts'
import type { Room, Team } from './story.ts'
import { stillInvited } from './team.ts'
import { idAt, workingTime } from './times.ts'

type Entry = {
  at: Date
  action: AuditAction
  actor_id: string
  target_id?: string
  data?: Record<string, unknown>
  door?: (typeof doors)[number]
}
type Notice<Kind extends NotificationKind> = { kind: Kind; data: NotificationData[Kind]; at: Date; isRead: boolean }

export async function fillHistory(room: Room, team: Team) {
  const entries = [...beginnings(room, team), ...happenings(room, team)]
  const ips = ['203.0.113.24', '203.0.113.61', '198.51.100.7'] // Reserved for examples (RFC 5737).
  const random = room.random.fork('addresses')
  const rows = entries.map(({ target_id = null, data = {}, door = 'web', ...entry }) => ({
    ...entry,
    id: idAt(entry.at),
    company_id: room.company_id,
    door,
    target_id,
    data: JSON.stringify(data),
    ip: random.pick(ips),
    request_id: randomUUID(),
  }))
  await room.db.insertInto('audit_events').values(rows).execute()
  for (const { actor_id, at } of entries.filter(({ action }) => action === 'session.started'))
    await noteVisits(room.db, room.company_id, [actor_id!], at)
  await notifyAdmin(room, team)
}

/** The events that created the roles, users and keys. */
function beginnings({ admin_id: actor_id }: Room, { roles, colleagues, agent, key }: Team): Entry[] {
  const made = roles.map(
    ({ id, name, at }): Entry => ({ at, action: 'role.created', actor_id, target_id: id, data: { name } }),
  )
  const invited = colleagues.flatMap(({ id, role, invited_by, at }): Entry[] => [
    { at, action: 'user.created', actor_id: invited_by, target_id: id, data: { role, kind: 'person' } },
    { at: later(at, 1), action: 'user.invited', actor_id: invited_by, target_id: id, data: { sent: false } },
  ])
  const keyData = { name: key.name, owner_id: agent.id }
  return [
    ...made,
    ...invited,
    { at: agent.at, action: 'user.created', actor_id, target_id: agent.id, data: { role: agent.role, kind: 'agent' } },
    { at: key.at, action: 'api_key.created', actor_id: colleagues[0]!.id, target_id: key.id, data: keyData },
  ]
}

/** Everyday events of a company. */
function happenings({ random: all, now, admin_id: actor_id }: Room, { roles, colleagues, agent }: Team): Entry[] {
  const random = all.fork('happenings')
  const on = (daysAgo: number) => workingTime(random, now, daysAgo)
  const signIns = Array.from({ length: 12 }, (_, index): Entry => {
    const at = on(2 + index * 2)
    const { id } = random.pick(colleagues.filter((one) => one.role !== stillInvited && one.at < at))
    return { at, action: random.chance(0.15) ? 'session.refused' : 'session.started', actor_id: id, target_id: id }
  })
  const [rep] = roles
  const promoted = colleagues.find(({ role }) => role === 'Sales rep')!
  return [
    ...signIns,
    {
      at: on(33),
      action: 'role.updated',
      actor_id,
      target_id: rep!.id,
      data: { name: rep!.name, fields: ['records'] },
    },
    {
      at: on(27),
      action: 'user.role_changed',
      actor_id,
      target_id: promoted.id,
      data: { from: 'Member', to: promoted.role },
    },
    { at: on(3), action: 'access.refused', actor_id: agent.id, data: { operation: 'listAuditEvents' }, door: 'mcp' },
  ]
}

async function notifyAdmin({ db, company_id, admin_id, now }: Room, { colleagues, agent, key }: Team) {
  const deputy = colleagues[0]!
  const byDeputy = colleagues.filter(({ invited_by }) => invited_by === deputy.id)
  const invited = byDeputy.map(({ id, name, at }, index): Notice<'user_invited'> => {
    return { kind: 'user_invited', data: { user_id: id, name }, at: later(at, 1), isRead: index < 2 }
  })
  const data = { name: key.name, agent: { id: agent.id, name: agent.name } }
  const added: Notice<'api_key_added'> = { kind: 'api_key_added', data, at: key.at, isRead: false }
  const rows = [...invited, added].map(({ kind, data, at, isRead }) => ({
    company_id,
    id: idAt(at),
    user_id: admin_id,
    kind,
    data: JSON.stringify(data),
    actor_id: deputy.id,
    at,
    read_at: isRead ? now : null,
  }))
  await db.insertInto('notifications').values(rows).execute()
}

const later = (at: Date, seconds: number) => new Date(at.getTime() + seconds * 1000)
