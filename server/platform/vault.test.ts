import { expect, test } from 'vitest'
import { oldSeal } from '../../test/old-seal.ts'
import { createVault } from './vault.ts'

const secret = 'a secret for tests'
const vault = createVault(secret)

test('a value opens in the row it was sealed for, and in no other', () => {
  const sealed = vault.seal('grün 🔑', 'users.totp_secret 1')
  expect(vault.open(sealed, 'users.totp_secret 1')).toBe('grün 🔑')
  expect(() => vault.open(sealed, 'users.totp_secret 2')).toThrow()
  expect(() => vault.open(sealed, 'mail_settings.password 1')).toThrow()
  expect(() => createVault('another secret').open(sealed, 'users.totp_secret 1')).toThrow()
})

test('changing, truncating or removing any byte is detected', () => {
  const sealed = vault.seal('hello', 'here')
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed[at]! ^= 1
    expect(() => vault.open(changed, 'here'), `byte ${at}`).toThrow()
    expect(() => vault.open(sealed.subarray(0, at), 'here'), `cut at ${at}`).toThrow()
  }
  expect(vault.seal('hello', 'here')).not.toEqual(sealed)
})

test('what version 0.1 sealed still opens', () => {
  expect(vault.open(oldSeal(secret, 'hello'), 'anywhere')).toBe('hello')
})
