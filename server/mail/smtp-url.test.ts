import { expect, test } from 'vitest'
import { readSmtpUrl } from './smtp-url.ts'

const baseUrl = new URL('https://crm.example.com')

test.each([
  ['smtps://smtp.example.com', { port: 465, security: 'tls' }],
  ['smtp://smtp.example.com', { port: 587, security: 'starttls' }],
  ['smtp://smtp.example.com:2525', { port: 2525, security: 'starttls' }],
  ['smtp://smtp.example.com?security=none', { port: 25, security: 'none' }],
  ['smtp://localhost:1025', { port: 1025, security: 'none' }],
  ['smtp://mailpit:1025', { port: 1025, security: 'none' }],
  ['smtp://[::1]:1025', { host: '::1', security: 'none' }],
  ['smtp://127.0.0.1?security=starttls', { port: 587, security: 'starttls' }],
])('SMTP_URL=%s is encrypted unless the server is on this machine or the operator opts out', (smtpUrl, expected) => {
  expect(readSmtpUrl({ smtpUrl, baseUrl })).toMatchObject(expected)
})

test('user name and password can contain any character', () => {
  const read = readSmtpUrl({ smtpUrl: 'smtp://me%40acme.com:p%3A%2F%20w@smtp.example.com', baseUrl })
  expect(read).toMatchObject({ username: 'me@acme.com', password: 'p:/ w' })
})

test('the sender is MAIL_FROM, or no-reply at the host of BASE_URL', () => {
  const from = (mailFrom?: string, base = baseUrl) =>
    readSmtpUrl({ smtpUrl: 'smtp://localhost', mailFrom, baseUrl: base }).from
  expect(from()).toEqual({ name: 'Kith', address: 'no-reply@crm.example.com' })
  expect(from('"Acme, Inc." <crm@acme.com>')).toEqual({ name: 'Acme, Inc.', address: 'crm@acme.com' })
  expect(from('crm@acme.com')).toEqual({ name: '', address: 'crm@acme.com' })
  expect(from(undefined, new URL('http://192.0.2.7:3000')).address).toBe('no-reply@localhost')
})

test('what cannot be read stops the start, with words that do not repeat the password', () => {
  for (const smtpUrl of [
    'smtp://',
    'smtp://me:canary%@smtp.example.com',
    'smtp://me:canary@smtp.example.com?security=ssl',
  ]) {
    const read = () => readSmtpUrl({ smtpUrl, baseUrl })
    expect(read).toThrow('SMTP_URL is invalid')
    expect(read).not.toThrow('canary')
  }
  for (const mailFrom of ['nobody', 'a@example.com, b@example.com', 'A\r\nBcc: x@example.com <a@example.com>'])
    expect(() => readSmtpUrl({ smtpUrl: 'smtp://localhost', mailFrom, baseUrl })).toThrow('MAIL_FROM')
})
