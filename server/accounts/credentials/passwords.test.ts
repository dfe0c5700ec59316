import { describe, expect, test } from 'vitest'
import { refuseWeakPassword } from './passwords.ts'

const ada = { email: 'ada.lovelace@engines.example', name: 'Ada Lovelace', company_name: 'Difference Engines & Co' }
const tryOut =
  (password: string, owner = ada) =>
  () =>
    refuseWeakPassword(password, owner)

describe('a password', () => {
  test.each(['12345678', 'password', 'PassWord1', 'qwertyuiop', 'iloveyou', 'football'])(
    'that everybody uses is refused: %s',
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
  ])('that is not so easily guessed is taken: %s', (password) => expect(tryOut(password)).not.toThrow())

  test('is not held against an owner of whom little is known, or who has a short name', () => {
    expect(() => refuseWeakPassword('algebraic', { name: 'Al', email: null })).not.toThrow()
    expect(() => refuseWeakPassword('algebraic', {})).not.toThrow()
  })

  test('is refused at the field where it was typed', () => {
    expect(() => refuseWeakPassword('password', ada, 'new_password')).toThrow(
      expect.objectContaining({
        code: 'invalid_input',
        more: { errors: [{ path: 'new_password', message: 'This is one of the most common passwords' }] },
      }),
    )
  })
})
