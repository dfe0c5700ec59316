import { expect, test } from 'vitest'
import { writeNumbersFor } from '../../ui/numbers.ts'
import { readDecimal } from './read-decimal.ts'

const all = (language: string, cases: Record<string, string | undefined>) => {
  writeNumbersFor(language)
  for (const [typed, read] of Object.entries(cases)) expect(readDecimal(typed), `${language} ${typed}`).toBe(read)
}

test('a number is read in the format of the language, and never off by a factor of a thousand', () => {
  all('en-US', { '1,250': '1250', '-1,250': '-1250', '1.250': '1.250', '1,5': '1.5', '0,125': '0.125' })
  all('de-DE', { '1.250': '1250', '1,250': '1.250', '1,5': '1.5', '1.250,00': '1250.00' })
  all('fr-FR', { '1 250': '1250', '1,250': '1.250' })
  all('en-GB', { '1,250,000': '1250000', '1,250.00': '1250.00', '1,25,0': undefined, abc: undefined, '.5': '0.5' })
})
