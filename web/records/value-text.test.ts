import { expect, test } from 'vitest'
import { mailtoOf } from './value-text.ts'

test.each([
  ['ada@example.com', 'mailto:ada@example.com'],
  ['a@b.example?bcc=evil%40x.y', 'mailto:a@b.example%3Fbcc%3Devil%2540x.y'],
  ['a+b&c=d@example.com', 'mailto:a%2Bb%26c%3Dd@example.com'],
])('a mailto link to %s has only that recipient', (email, href) => {
  expect(mailtoOf(email)).toBe(href)
  expect(new URL(href).search).toBe('')
})
