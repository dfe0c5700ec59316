// Fictional people. Their addresses end in .example, so that no mail ever reaches a real person.
import type { Home } from './countries.ts'
import type { Random } from './random.ts'

export type Person = {
  name: string
  given: string
  family: string
  /** The part of the address before the @. */
  mailbox: string
  title: string
  city: string
  home: Home
}

const titles = [
  'Account manager',
  'Sales lead',
  'Customer success manager',
  'Head of operations',
  'Marketing manager',
  'Business development',
  'Office manager',
  'Partner manager',
  'Procurement lead',
  'Managing director',
]

/** People from one country. Names are unique as long as there are enough of them, addresses always. */
export function createPeople(random: Random, home: Home, count: number): Person[] {
  const { given, family, familyFirst, gap = ' ' } = home.culture
  const pairs = random.shuffled(given.flatMap((first) => family.map((last) => [first, last] as const)))
  return Array.from({ length: count }, (_, index) => {
    const [first, last] = pairs[index % pairs.length]!
    const repeat = Math.floor(index / pairs.length)
    return {
      name: (familyFirst ? [last[0], first[0]] : [first[0], last[0]]).join(gap),
      given: first[0],
      family: last[0],
      mailbox: `${first[1]}.${last[1]}${repeat ? `.${repeat + 1}` : ''}`,
      title: random.pick(titles),
      city: random.pick(home.cities),
      home,
    }
  })
}
