// Custom objects and fields: one field of every type in the release.
import type { Caller } from './caller.ts'
import type { Story } from './story.ts'

const options = [
  { key: 'gold', label: 'Gold', color: 'yellow' },
  { key: 'silver', label: 'Silver', color: 'gray' },
]
const settings: Record<string, object> = {
  select: { options },
  multi_select: { options },
  relation: { to_objects: ['organizations'] },
}

/** Returns the field types, to create values for them. */
export async function buildObjects({ openapi }: Story, ada: Caller) {
  const { schema } = openapi.paths['/api/v1/objects/{object}/fields']!.post!.requestBody!.content['application/json']
  const types = schema.properties.type!.enum!
  await ada.post('/objects', { key: 'projects', label: 'Project', label_plural: 'Projects' })
  const add = (object: string, key: string, type: string, more: object = {}) =>
    ada.post(`/objects/${object}/fields`, { key, label: `Any ${key}`, type, ...settings[type], ...more })
  for (const type of types) await add('projects', `a_${type}`, type)
  for (const type of ['text', 'email', 'phone', 'url', 'relation'])
    await add('projects', `some_${type}`, type, { is_multi: true })
  await add('projects', 'code', 'text', { is_unique: true })
  await add('projects', 'old_text', 'text')
  await add('people', 'nickname', 'text', { description: 'What friends say' })
  await add('people', 'projects', 'relation', { to_objects: ['projects'], is_multi: true })
  await ada.post('/objects', { key: 'past_events', label: 'Event', label_plural: 'Events' })
  await ada.patch('/objects/organizations/fields/tags', { options: [{ key: 'vip', label: 'VIP', color: 'red' }] })
  return types
}
