// Organizations and the people who work there: a list that was imported once, then some more every week.
import type { Values } from '../engine/values/from-row.ts'
import { cultures } from './cultures.ts'
import { type Organization, organizations } from './organizations.ts'
import { createPeople, type Person } from './people.ts'
import { phoneIn } from './phones.ts'
import type { Random } from './random.ts'
import type { Account, Entry, Story, Writer } from './story.ts'
import { sources } from './texts.ts'

const imported = 20
const handedOver = 3
const addedAtOnce = 3

/** Whoever has this place in the crew is there by then: at least one comes in six days (team.ts). */
const arrival = (place: number) => 60 - 6 * place

/** Who writes on that day, in turn. */
export function writerOn({ crew }: Story, daysAgo: number, turn: number): Writer {
  const there = crew.filter((_, place) => place === 0 || daysAgo < arrival(place))
  return there[turn % there.length]!
}

/** Those that this writer looks after, in any order. */
export function accountsOf({ accounts }: Story, random: Random, writer: Writer): Account[] {
  const own = accounts.filter(({ owner }) => owner === writer)
  return random.shuffled(own.length ? own : accounts)
}

export function strangers({ random, colleagueNames }: Story) {
  const all = createPeople(random.fork('strangers'), 170).filter(({ name }) => !colleagueNames.includes(name))
  return { contacts: all.slice(0, 140), others: all.slice(140, 155) }
}

export function customerEntries(story: Story): Entry[] {
  const random = story.random.fork('customers')
  const { contacts } = strangers(story)
  const [admin, ...colleagues] = story.crew as [Writer, ...Writer[]]
  const all = random.shuffled(organizations)
  const add = (daysAgo: number, owner: Writer, added: Organization[], by = owner) =>
    adding(story, random.fork(`${daysAgo}`), contacts, { daysAgo, by, owner, added })
  return [
    add(57, admin, all.slice(0, imported), { ...admin, door: 'import' }),
    ...colleagues.flatMap((colleague, index): Entry[] => {
      const from = imported + index * addedAtOnce
      return [
        handingOver(story, arrival(index + 1), colleague, index * handedOver),
        add(50 - index * 7, colleague, all.slice(from, from + addedAtOnce)),
      ]
    }),
  ]
}

type Adding = { daysAgo: number; by: Writer; owner: Writer; added: Organization[] }

function adding({ accounts }: Story, random: Random, contacts: Person[], { daysAgo, by, owner, added }: Adding): Entry {
  return {
    daysAgo,
    by,
    async write(recorder) {
      const values = added.map((one) => organizationValues(random, one))
      const made = await recorder.create('organizations', values)
      const staff = added.map((one, i) =>
        staffOf(one, contacts).map((person) => personValues(random, person, one.domain, made[i]!.id)),
      )
      const people = await recorder.create('people', staff.flat())
      for (const [i, organization] of made.entries()) {
        const own = people.filter((person) => person.organization === organization.id)
        accounts.push({ organization, people: own, deals: [], owner, language: added[i]!.language })
      }
    },
  }
}

/** What was imported is the Admin's, until colleagues come. */
function handingOver({ accounts, crew }: Story, daysAgo: number, to: Writer, from: number): Entry {
  return {
    daysAgo,
    by: crew[0]!,
    async write(recorder) {
      const given = accounts.slice(from, from + handedOver)
      const owner = to.actor.user_id
      await recorder.update(
        'organizations',
        given.map((one) => one.organization),
        () => ({ owner }),
      )
      await recorder.update(
        'people',
        given.flatMap((one) => one.people),
        () => ({ owner }),
      )
      for (const account of given) account.owner = to
    },
  }
}

/** Those who speak the language of the organization, shared with the others that do. */
function staffOf(one: Organization, contacts: Person[]) {
  const alike = organizations.filter(({ language }) => language === one.language)
  return contacts
    .filter(({ language }) => language === one.language)
    .filter((_, i) => i % alike.length === alike.indexOf(one))
}

function organizationValues(random: Random, { name, domain, industry, language }: Organization): Values {
  const [city, country] = random.pick(cultures.find((one) => one.language === language)!.cities)
  return {
    name,
    domains: [domain],
    industry,
    size: random.pick([8, 14, 25, 40, 65, 120, 180, 340, 700, 1500]),
    phone: phoneIn(random, language),
    city,
    country,
    ...(random.chance(0.7) && { website: `https://www.${domain}` }),
  }
}

function personValues(random: Random, person: Person, domain: string, organization: string): Values {
  return {
    first_name: person.given,
    last_name: person.family,
    emails: [`${person.mailbox}@${domain}`],
    organization,
    job_title: person.title,
    status: random.pick(['prospect', 'prospect', 'active', 'active', 'customer', 'customer', 'former']),
    city: person.city,
    country: person.country,
    source: random.pick(sources),
    ...(random.chance(0.7) && { phones: [phoneIn(random, person.language)] }),
    ...(random.chance(0.5) && { score: random.int(5, 95) }),
    ...(random.chance(0.4) && { consent: true }),
  }
}
