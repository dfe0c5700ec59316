import { expect, test } from 'vitest'
import { inSentence } from '../contract/shared/in-sentence.ts'

test.each([
  ['First name', 'first name'],
  ['Follow-up', 'follow-up'],
  ['Überfällige Rechnung', 'überfällige Rechnung'],
  ['Sales Order', 'sales Order'],
  ['NDA', 'NDA'],
  ['NDAs', 'NDAs'],
  ['VAT number', 'VAT number'],
  ['iPhone', 'iPhone'],
  ['LinkedIn', 'LinkedIn'],
  ['E-Mail', 'E-Mail'],
  ['Web3 wallet', 'Web3 wallet'],
  ['株式会社', '株式会社'],
])('the label %j is written %j in a sentence', (label, written) => {
  expect(inSentence(label)).toBe(written)
})
