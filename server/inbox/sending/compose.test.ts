import { expect, test } from 'vitest'
import { compose } from './compose.ts'

const quoted = {
  from_address: 'ada@customer.example',
  from_name: 'Ada',
  at: new Date(),
  subject: 'Hi',
  text: 'Hello',
  html: '<p>Hello <img alt="x" data-remote="https://x.example/open.png" /><img data-cid="logo" /></p>',
}
const written = { text: 'Yes', signature: '', language: 'en', time_zone: 'UTC', quoted }

test('a reply does not pass on remote images of what it quotes, and a forwarded message keeps them', () => {
  expect(compose({ ...written, mode: 'reply' }).html).not.toContain('x.example')
  expect(compose({ ...written, mode: 'reply' }).html).toContain('data-cid="logo"')
  expect(compose({ ...written, mode: 'forward' }).html).toContain('https://x.example/open.png')
})
