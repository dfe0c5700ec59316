// Access to records in four steps that people know by name. Anything else is custom.
import { everything, type ObjectRights } from '../../contract/shared/access.ts'

export type Level = 'full' | 'own' | 'read' | 'none' | 'custom'

const none: ObjectRights = { read: 'none', create: false, edit: 'none', delete: 'none' }
export const rightsOfLevel: Record<Exclude<Level, 'custom'>, ObjectRights> = {
  full: everything,
  own: { read: 'own', create: true, edit: 'own', delete: 'own' },
  read: { ...none, read: 'all' },
  none,
}

export const levels: { value: Level; label: string; about: string }[] = [
  { value: 'full', label: 'Full access', about: 'See, create, edit and delete all records.' },
  { value: 'own', label: 'Own records', about: 'Create records; see, edit and delete only those they own.' },
  { value: 'read', label: 'Read only', about: 'See all records, but not change them.' },
  { value: 'none', label: 'None', about: 'See no records.' },
  { value: 'custom', label: 'Custom', about: 'Choose each permission.' },
]

export function levelOf(rights: ObjectRights): Level {
  const isSame = (level: ObjectRights) =>
    level.read === rights.read &&
    level.create === rights.create &&
    level.edit === rights.edit &&
    level.delete === rights.delete
  const found = Object.entries(rightsOfLevel).find(([, level]) => isSame(level))
  return (found?.[0] as Level | undefined) ?? 'custom'
}
