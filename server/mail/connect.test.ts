import { describe, expect, test } from 'vitest'
import { type Address, readOutboundAllow } from '../platform/outbound.ts'
import { addressesOf } from './connect.ts'
import type { MailServer } from './mail-server.ts'

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
])('with several companies, a mail server at %j is not contacted', async (addresses) => {
  await expect(addressesOf(serverAt(25), { lookup: async () => addresses, reach: 'public' })).rejects.toThrow(
    'The mail server smtp.test was not found on the public internet. Check its name.',
  )
})

test('with several companies, public mail servers are contacted', async () => {
  const addresses = [v4('93.184.215.14'), v6('2606:2800:21f:cb07:6820:80da:af6b:8b2c')]
  for (const port of [25, 465, 587, 2525])
    expect(await addressesOf(serverAt(port), { lookup: async () => addresses, reach: 'public' })).toEqual(addresses)
})

test('with several companies, only mail ports are contacted', async () => {
  for (const port of [22, 80, 5432, 6379])
    await expect(addressesOf(serverAt(port), { lookup: async () => [], reach: 'public' })).rejects.toThrow(
      `This server does not allow mail on port ${port}. Use one of: 25, 465, 587, 2525.`,
    )
})

test('the mail server of the only company can be anywhere', async () => {
  expect(await addressesOf(serverAt(1025), { lookup: async () => [v4('10.1.2.3')], reach: 'anywhere' })).toHaveLength(1)
})

test('a name that does not exist and one inside the network get the same error', async () => {
  const lookup = async () => Promise.reject(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }))
  await expect(addressesOf(serverAt(25), { lookup, reach: 'public' })).rejects.toThrow(
    'not found on the public internet',
  )
})

describe('OUTBOUND_ALLOW', () => {
  const lookup = async () => [v4('10.1.2.3')]
  const reached = (list: string, find = lookup) =>
    addressesOf(serverAt(1025), { lookup: find, reach: 'public', allow: readOutboundAllow(list) })

  test.each(['10.0.0.0/8', '10.1.2.3', 'smtp.test', 'SMTP.test', 'other.test, 10.1.2.3', '192.168.0.0/16 10.1.0.0/16'])(
    '%s lets a company call a mail server inside, on any port',
    async (list) => {
      expect(await reached(list)).toHaveLength(1)
    },
  )

  test.each(['', '10.1.2.4', '10.2.0.0/16', 'smtp.test.evil', 'test', '::/0'])('%s does not', async (list) => {
    await expect(reached(list)).rejects.toThrow()
  })

  test('must cover every address of the name', async () => {
    const find = async () => [v4('10.1.2.3'), v4('127.0.0.1')]
    await expect(reached('10.0.0.0/8', find)).rejects.toThrow()
    expect(await reached('::ffff:7f00:1, fd00::/8', async () => [v4('127.0.0.1'), v6('fd00::1')])).toHaveLength(2)
  })
})
