// Organizations and the people who work there: an imported list, then a few more every week.
import type { Values } from '../engine/values/from-row.ts'
import { cultures } from './cultures.ts'
import { type Organization, organizations } from './organizations.ts'
import { createPeople, cultureOf, type Person } from './people.ts'
import { phoneIn } from './phones.ts'
import type { Random } from './random.ts'
import type { Account, Entry, Story, Writer } from './story.ts'
import { sources, tags } from './texts.ts'

const imported = 20
const handedOver = 3
const addedAtOnce = 3

/** The day by which the colleague at this place in the crew has joined: at least one joins every six days (team.ts). */
const arrival = (place: number) => 60 - 6 * place

/** The person who writes on that day; those who have joined take turns. */
export function writerOn({ crew }: Story, daysAgo: number, turn: number): Writer {
  const there = crew.filter((_, place) => place === 0 || daysAgo < arrival(place))
  return there[turn % there.length]!
}

/** The accounts of this writer, shuffled. */
export function accountsOf({ accounts }: Story, random: Random, writer: Writer): Account[] {
  const owned = accounts.filter(({ owner }) => owner === writer)
  return random.shuffled(owned.length ? owned : accounts)
}

export function contactsAndLeads({ random, colleagueNames, language }: Story) {
  const home = { culture: cultureOf(language), turns: 2 }
  const all = createPeople(random.fork('strangers'), 170, home).filter(({ name }) => !colleagueNames.includes(name))
  return { contacts: all.slice(0, 140), leads: all.slice(140, 155) }
}

export function customerEntries(story: Story): Entry[] {
  const random = story.random.fork('customers')
  const { contacts } = contactsAndLeads(story)
  const [admin, ...colleagues] = story.crew as [Writer, ...Writer[]]
  const home = cultureOf(story.language)?.language
  const isHome = ({ language }: Organization) => language === home
  const shuffled = random.shuffled(organizations)
  const all = [...shuffled.filter((one) => !isHome(one)), ...shuffled.filter(isHome)]
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
      const values = added.map((organization) => organizationValues(random, organization))
      const created = await recorder.create('organizations', values)
      const staff = added.map((organization, i) =>
        staffOf(organization, contacts).map((person) =>
          personValues(random, person, organization.domain, created[i]!.id),
        ),
      )
      const people = await recorder.create('people', staff.flat())
      for (const [i, organization] of created.entries()) {
        const employees = people.filter((person) => person.organization === organization.id)
        accounts.push({ organization, people: employees, deals: [], owner, language: added[i]!.language })
      }
    },
  }
}

/** The Admin owns what was imported until colleagues join. */
function handingOver({ accounts, crew }: Story, daysAgo: number, to: Writer, from: number): Entry {
  return {
    daysAgo,
    by: crew[0]!,
    async write(recorder) {
      const given = accounts.slice(from, from + handedOver)
      const owner = to.actor.user_id
      await recorder.update(
        'organizations',
        given.map((account) => account.organization),
        () => ({ owner }),
      )
      await recorder.update(
        'people',
        given.flatMap((account) => account.people),
        () => ({ owner }),
      )
      for (const account of given) account.owner = to
    },
  }
}

/** Contacts who speak the organization's language, divided among all organizations that do. */
function staffOf(organization: Organization, contacts: Person[]) {
  const sameLanguage = organizations.filter(({ language }) => language === organization.language)
  return contacts
    .filter(({ language }) => language === organization.language)
    .filter((_, i) => i % sameLanguage.length === sameLanguage.indexOf(organization))
}

function organizationValues(random: Random, { name, domain, industry, language }: Organization): Values {
  const [city, country] = random.pick(cultures.find((culture) => culture.language === language)!.cities)
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
    ...(random.chance(0.2) && { tags: [random.pick(tags)] }),
  }
}
