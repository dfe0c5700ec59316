import { expect, test } from 'vitest'
import { type Address, addressesOf } from './connect.ts'
import type { MailServer } from './queries.ts'

const serverAt = (port: number): MailServer => ({
  host: 'smtp.test',
  port,
  security: 'tls',
  username: null,
  password: null,
  from: { name: '', address: 'hello@acme.test' },
})
const v4 = (address: string): Address => ({ address, family: 4 })
const v6 = (address: string): Address => ({ address, family: 6 })

test.each([
  [[v4('127.0.0.1')]],
  [[v4('10.1.2.3')]],
  [[v4('169.254.169.254')]],
  [[v4('100.64.0.1')]],
  [[v4('0.0.0.0')]],
  [[v4('224.0.0.1')]],
  [[v4('192.168.1.1'), v4('93.184.215.14')]],
  [[v4('93.184.215.14'), v6('::1')]],
  [[v6('::1')]],
  [[v6('::ffff:127.0.0.1')]],
  [[v6('fd00::1')]],
  [[v6('fe80::1')]],
  [[v6('64:ff9b::7f00:1')]],
  [[v6('2002:7f00:1::')]],
  [[]],
])('where strangers have companies, a mail server at %j is not called', async (addresses) => {
  await expect(addressesOf(serverAt(25), async () => addresses, true)).rejects.toThrow(
    'The mail server smtp.test is not on the public internet. Use one that is.',
  )
})

test('where strangers have companies, public mail servers are called', async () => {
  const addresses = [v4('93.184.215.14'), v6('2606:2800:21f:cb07:6820:80da:af6b:8b2c')]
  for (const port of [25, 465, 587, 2525])
    expect(await addressesOf(serverAt(port), async () => addresses, true)).toEqual(addresses)
})

test('where strangers have companies, only ports of mail servers are called', async () => {
  for (const port of [22, 80, 5432, 6379])
    await expect(addressesOf(serverAt(port), async () => [], true)).rejects.toThrow(
      `Kith does not send mail over port ${port} here. Use one of: 25, 465, 587, 2525.`,
    )
})

test('elsewhere a mail server may be anywhere', async () => {
  expect(await addressesOf(serverAt(1025), async () => [v4('10.1.2.3')], false)).toHaveLength(1)
})
