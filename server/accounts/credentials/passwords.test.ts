import { describe, expect, test } from 'vitest'
import { refuseWeakPassword } from './passwords.ts'

const ada = { email: 'ada.lovelace@engines.example', name: 'Ada Lovelace', company_name: 'Difference Engines & Co' }
const tryOut =
  (password: string, owner = ada) =>
  () =>
    refuseWeakPassword(password, owner)

describe('a password', () => {
  test.each(['12345678', 'password', 'PassWord1', 'qwertyuiop', 'iloveyou', 'football'])(
    'that is common is refused: %s',
    (password) => expect(tryOut(password)).toThrow('most common'),
  )

  test.each([
    'adalovelace',
    'Lovelace-Ada-99',
    'ada.lovelace@engines.example',
    'DifferenceEngines!',
    'engines2026',
    'kith2026!',
  ])('of little more than the name, the email or the company is refused: %s', (password) =>
    expect(tryOut(password)).toThrow('Use more than'),
  )

  test.each([
    'correct horse',
    'my engines run at night',
    'lovelace-7mq2xk',
    'пароль-который-помню',
    '!?!?!?!?',
    'ж'.repeat(128),
  ])('that is hard to guess is accepted: %s', (password) => expect(tryOut(password)).not.toThrow())

  test('is not compared with unknown or very short names', () => {
    expect(() => refuseWeakPassword('algebraic', { name: 'Al', email: null })).not.toThrow()
    expect(() => refuseWeakPassword('algebraic', {})).not.toThrow()
  })

  test('is refused with the path of its field', () => {
    expect(() => refuseWeakPassword('password', ada, 'new_password')).toThrow(
      expect.objectContaining({
        code: 'invalid_input',
        more: { errors: [{ path: 'new_password', message: 'This is one of the most common passwords' }] },
      }),
    )
  })
})
