import { expect, test } from 'vitest'
import { likelyUser } from './likely-user.ts'

const user = (name: string, email: string, state = 'active' as const) => ({ name, email, state })
const users = [
  user('Ada Lovelace', 'ada@acme.example'),
  user('Grace Hopper', 'g.hopper@acme.example'),
  user('Grace Kelly', 'kelly@acme.example'),
  user('José García', 'jose@acme.example'),
  { ...user('Bob Former', 'bob@acme.example'), state: 'deactivated' as const },
]

test.each([
  ['ada', 'Ada Lovelace'],
  ['Ada', 'Ada Lovelace'],
  ['A. Lovelace', 'Ada Lovelace'],
  ['Lovelace, Ada', 'Ada Lovelace'],
  ['Ada Byron Lovelace', 'Ada Lovelace'],
  ['ada.lovelace@old.example', 'Ada Lovelace'],
  ['alovelace@old.example', 'Ada Lovelace'],
  ['g.hopper@old.example', 'Grace Hopper'],
  ['Jose Garcia', 'José García'],
  ['Grace', undefined],
  ['Bob Former', undefined],
  ['Max', undefined],
  ['A', undefined],
  ['0058d000004XyZ1', undefined],
])('%s is probably %s', (text, name) => expect(likelyUser(text, users)?.name).toBe(name))
