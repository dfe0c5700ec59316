import type { Random } from './random.ts'

// Only a few countries reserve numbers for fiction. People elsewhere get a British one.
export function phoneIn(random: Random, language: string) {
  const digits = (count: number) => String(random.int(0, 10 ** count - 1)).padStart(count, '0')
  if (language === 'en-US') return `+1 ${random.pick(['312', '503'])} 555 01${digits(2)}`
  if (language === 'de-DE') return `+49 30 23125 ${digits(3)}`
  return `+44 7700 900${digits(3)}`
}
