import { expect, test } from 'vitest'
import { testSmtp } from '../../../test/smtp.ts'
import type { Way } from '../../mail/connect.ts'
import type { Credentials } from './connect.ts'
import { sendBySmtp } from './smtp.ts'

const way: Way = { lookup: async () => [{ address: '127.0.0.1', family: 4 }], reach: 'operator' }
const ada: Credentials = { username: 'ada@acme.test', password: 'secret' }
const auth = { user: 'ada@acme.test', pass: 'secret' }
const source = Buffer.from(
  'From: ada@acme.test\r\nTo: max@example.com\r\nSubject: Hi\r\nMessage-ID: <1@acme>\r\n\r\nHello\r\n',
)
const send = (port: number, credentials: Credentials = ada, to = ['max@example.com']) =>
  sendBySmtp({ host: 'smtp.test', port, security: 'none' }, credentials, { from: 'ada@acme.test', to }, source, way)

test('a message is sent as it was composed', async () => {
  const smtp = await testSmtp({ auth })
  expect(await send(smtp.port)).toEqual({ state: 'sent', reason: null })
  expect(smtp.received).toMatchObject([{ messageId: '<1@acme>', text: 'Hello\n', recipients: ['max@example.com'] }])
})

test('a message is sent with an access token', async () => {
  const smtp = await testSmtp({ isToken: (user, token) => user === 'ada@acme.test' && token === 'right' })
  expect(await send(smtp.port, { username: 'ada@acme.test', accessToken: 'right' })).toEqual({
    state: 'sent',
    reason: null,
  })
  expect(await send(smtp.port, { username: 'ada@acme.test', accessToken: 'wrong' })).toMatchObject({ state: 'again' })
})

test('what the server refuses for good is not tried again, and what it refuses for now is', async () => {
  const smtp = await testSmtp({ auth, refuse: () => '550 No such user' })
  expect(await send(smtp.port)).toEqual({
    state: 'failed',
    reason: 'The mail server smtp.test refused the recipient address. Response: 550 No such user',
  })
  const busy = await testSmtp({ auth, refuse: () => '451 Try later' })
  expect(await send(busy.port)).toMatchObject({ state: 'again' })
  expect(await send(1)).toMatchObject({ state: 'again' })
})

test('a recipient who is refused while others get the message is named', async () => {
  const smtp = await testSmtp({ auth, refuse: (to) => (to.startsWith('nobody') ? '550 No such user' : undefined) })
  expect(await send(smtp.port, ada, ['nobody@example.com', 'max@example.com'])).toEqual({
    state: 'sent',
    reason: 'Not delivered to nobody@example.com. The mail server responded: 550 No such user',
  })
  expect(smtp.received).toMatchObject([{ recipients: ['max@example.com'] }])
})

test('a connection that ends in the place of the answer leaves open whether it was sent', async () => {
  const smtp = await testSmtp({ auth, hangsUp: () => true })
  expect(await send(smtp.port)).toEqual({
    state: 'unknown',
    reason: 'The connection to smtp.test ended before it confirmed the message, so it may have been sent.',
  })
})
