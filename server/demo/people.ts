// Fictional people. Their addresses end in .example, so that no mail ever reaches a real person.
import { type Culture, cultures } from './cultures.ts'
import type { Random } from './random.ts'

export type Person = {
  name: string
  given: string
  family: string
  /** The part of the address before the @. */
  mailbox: string
  title: string
  city: string
  country: string
  time_zone: string
  language: string
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

/** The culture of people who speak this language, whatever their country. */
export const cultureOf = (language: string) =>
  cultures.find((one) => one.language === language) ??
  cultures.find((one) => one.language.split('-')[0] === language.split('-')[0])

/** More people of one culture: it takes so many turns in addition to its own. */
type Home = { culture: Culture | undefined; turns: number }

/** Names are unique, and neighbors in the list come from different cultures. */
export function createPeople(random: Random, count: number, { culture, turns }: Home = noHome): Person[] {
  const mailboxes = new Set<string>()
  const turn = random.shuffled([...cultures, ...(culture ? Array.from({ length: turns }, () => culture) : [])])
  return Array.from({ length: count }, (_, index) => {
    for (;;) {
      const person = createPerson(random, turn[index % turn.length]!)
      const repeat = mailboxes.has(person.mailbox)
      if (repeat && mailboxes.size < cultures.length * 32) continue
      const mailbox = repeat ? `${person.mailbox}.${index}` : person.mailbox
      mailboxes.add(mailbox)
      return { ...person, mailbox }
    }
  })
}

const noHome: Home = { culture: undefined, turns: 0 }

function createPerson(random: Random, { given, family, familyFirst, gap = ' ', cities, language }: Culture): Person {
  const [givenName, givenLatin] = random.pick(given)
  const [familyName, familyLatin] = random.pick(family)
  const [city, country, time_zone] = random.pick(cities)
  return {
    name: (familyFirst ? [familyName, givenName] : [givenName, familyName]).join(gap),
    given: givenName,
    family: familyName,
    mailbox: `${givenLatin}.${familyLatin}`,
    title: random.pick(titles),
    city,
    country,
    time_zone,
    language,
  }
}
