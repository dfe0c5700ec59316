// Organizations and the people who work there: an imported list, then a few more every week.
import type { Values } from '../engine/values/from-row.ts'
import { foreignHomes, phoneIn } from './countries.ts'
import { createOrganizations, type Organization } from './organizations.ts'
import { createPeople, type Person } from './people.ts'
import type { Random } from './random.ts'
import { sources, tags } from './sales-texts.ts'
import type { Account, Entry, Story, Writer } from './story.ts'

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

const foreign = 8
const total = 35
const staffPerOrganization = 4
const leadCount = 15

/** The same for every part of the demo, because it is made of a fork of its own. */
function customersOf(story: Story) {
  const random = story.random.fork('strangers')
  const homes = [
    ...foreignHomes(story.home, foreign).map((home) => ({ home, count: 1 })),
    { home: story.home, count: 0 },
  ]
  homes.at(-1)!.count = total - (homes.length - 1)
  const organizations = homes.flatMap(({ home, count }) => createOrganizations(random, home, count))
  const people = homes.map(({ home, count }) =>
    createPeople(random, home, count * staffPerOrganization + leadCount + 6),
  )
  const unknown = people.map((some) => some.filter(({ name }) => !story.colleagueNames.includes(name)))
  const staff = organizations.map((organization) =>
    unknown[homes.findIndex(({ home }) => home === organization.home)]!.splice(0, staffPerOrganization),
  )
  const leads = [...unknown.at(-1)!.slice(0, leadCount - 2), ...unknown.slice(0, 2).map(([first]) => first!)]
  return { organizations, staff, leads: random.shuffled(leads) }
}

export const leadsOf = (story: Story) => customersOf(story).leads

type Customer = { organization: Organization; staff: Person[] }

export function customerEntries(story: Story): Entry[] {
  const random = story.random.fork('customers')
  const { organizations, staff } = customersOf(story)
  const all = organizations.map((organization, i): Customer => ({ organization, staff: staff[i]! }))
  const [admin, ...colleagues] = story.crew as [Writer, ...Writer[]]
  const add = (daysAgo: number, owner: Writer, added: Customer[], by = owner) =>
    adding(story, random.fork(`${daysAgo}`), { daysAgo, by, owner, added })
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

type Adding = { daysAgo: number; by: Writer; owner: Writer; added: Customer[] }

function adding({ accounts }: Story, random: Random, { daysAgo, by, owner, added }: Adding): Entry {
  return {
    daysAgo,
    by,
    async write(recorder) {
      const values = added.map(({ organization }) => organizationValues(random, organization))
      const created = await recorder.create('organizations', values)
      const staff = added.map(({ organization, staff }, i) =>
        staff.map((person) => personValues(random, person, organization.domain, created[i]!.id)),
      )
      const people = await recorder.create('people', staff.flat())
      for (const [i, organization] of created.entries()) {
        const employees = people.filter((person) => person.organization === organization.id)
        accounts.push({ organization, people: employees, deals: [], owner, home: added[i]!.organization.home })
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

function organizationValues(random: Random, { name, domain, industry, city, home }: Organization): Values {
  return {
    name,
    domains: [domain],
    industry,
    size: random.pick([8, 14, 25, 40, 65, 120, 180, 340, 700, 1500]),
    phone: phoneIn(random, home),
    city,
    country: home.country,
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
    country: person.home.country,
    source: random.pick(sources),
    ...(random.chance(0.7) && { phones: [phoneIn(random, person.home)] }),
    ...(random.chance(0.5) && { score: random.int(5, 95) }),
    ...(random.chance(0.4) && { consent: true }),
    ...(random.chance(0.2) && { tags: [random.pick(tags)] }),
  }
}
