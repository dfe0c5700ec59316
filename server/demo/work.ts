// Everyday work: tasks, notes, activities and incoming leads.
import type { Shown, Values } from '../engine/values/from-row.ts'
import { phoneIn } from './countries.ts'
import { ascii } from './cultures.ts'
import { accountsOf, leadsOf, writerOn } from './customers.ts'
import { money, priceIn } from './money.ts'
import type { Person } from './people.ts'
import type { Random } from './random.ts'
import { enquiries, filled, happenings, notes, sources, tasks } from './sales-texts.ts'
import type { Entry, Story, Writer } from './story.ts'
import { dayFrom } from './times.ts'

const taskDays = [53, 44, 35, 27, 20, 14, 9, 6, 3, 1]
const noteDays = [51, 44, 38, 31, 25, 18, 12, 8, 5, 2]
const activityDays = [53, 48, 41, 35, 30, 24, 19, 13, 7, 2]
const leadDays = [45, 33, 20, 10, 2]

export const workEntries = (story: Story): Entry[] => [
  ...taskDays.flatMap((daysAgo, turn) => taskEntries(story, daysAgo, turn)),
  firstTasks(story),
  ...noteDays.map((daysAgo, turn) => noteEntry(story, daysAgo, turn)),
  ...activityDays.map((daysAgo, turn) => activityEntry(story, daysAgo, turn)),
  ...leadDays.flatMap((daysAgo, turn) => leadEntries(story, daysAgo, turn)),
]

/** Old tasks are done, new ones are open. */
function taskEntries(story: Story, daysAgo: number, turn: number): Entry[] {
  const random = story.random.fork(`tasks ${turn}`)
  const by = writerOn(story, daysAgo, turn + 3)
  const made: Shown[] = []
  const add: Entry = {
    daysAgo,
    by,
    async write(recorder) {
      const titles = random.shuffled(tasks).slice(0, 4)
      const values = titles.map((title) => taskValues(story, random, { by, daysAgo, title }))
      made.push(...(await recorder.create('tasks', values)))
    },
  }
  const doneCount = Math.min(4, Math.floor(daysAgo / 4))
  const finish: Entry = {
    daysAgo: daysAgo - 3,
    by,
    write: (recorder) =>
      recorder.update('tasks', made.slice(0, doneCount), () => ({ status: random.chance(0.1) ? 'cancelled' : 'done' })),
  }
  return daysAgo > 3 ? [add, finish] : [add]
}

/** What the first Admin has to do on the day of the first visit. */
function firstTasks(story: Story): Entry {
  const random = story.random.fork('first tasks')
  const by = story.crew[0]!
  const due = [
    dayFrom(story.now, -1, 15),
    dayFrom(story.now, 0, 9),
    dayFrom(story.now, 0, 17),
    dayFrom(story.now, 0, 22),
  ]
  const write: Entry['write'] = (recorder) =>
    recorder.create(
      'tasks',
      random
        .shuffled(tasks)
        .slice(0, due.length)
        .map((title, i) => ({
          ...taskValues(story, random, { by, daysAgo: 2, title }),
          due_at: due[i]!.toISOString(),
          assignee: by.actor.user_id,
        })),
    )
  return { daysAgo: 2, by, write }
}

type NewTask = { by: Writer; daysAgo: number; title: string }

function taskValues(story: Story, random: Random, { by, daysAgo, title }: NewTask): Values {
  const { organization, people, deals } = accountsOf(story, random, by)[0]!
  const person = random.pick(people)
  const about = random.pick([organization, person, deals[0] ?? person])
  return {
    title: filled(title, { org: organization.title as string, person: person.title as string }),
    due_at: dayFrom(story.now, random.int(2, 9) - daysAgo, random.int(8, 16)).toISOString(),
    priority: random.pick(['low', 'normal', 'normal', 'high']),
    assignee: (random.chance(0.8) ? by : writerOn(story, daysAgo, random.int(0, 5))).actor.user_id,
    about: [about.id],
  }
}

function noteEntry(story: Story, daysAgo: number, turn: number): Entry {
  const random = story.random.fork(`notes ${turn}`)
  const by = writerOn(story, daysAgo, turn + 2)
  const bodies = [notes[turn % notes.length]!, notes[(turn + 3) % notes.length]!]
  return {
    daysAgo,
    by,
    write: (recorder) =>
      recorder.create(
        'notes',
        bodies.map((body) => noteValues(story, random, by, body)),
      ),
  }
}

export function noteValues(story: Story, random: Random, by: Writer, body: string): Values {
  const { organization, people } = accountsOf(story, random, by)[0]!
  const person = random.pick(people)
  const about = [organization, person].filter((_, i) => body.includes(['{org}', '{person}'][i]!))
  return {
    body: filled(body, { org: organization.title as string, person: person.title as string }),
    about: about.map(({ id }) => id),
  }
}

function activityEntry(story: Story, daysAgo: number, turn: number): Entry {
  const random = story.random.fork(`activities ${turn}`)
  const by = writerOn(story, daysAgo, turn + 1)
  return {
    daysAgo,
    by,
    write: (recorder) => {
      const kinds = random.shuffled(happenings).slice(0, 3)
      return recorder.create(
        'activities',
        kinds.map((happening) => activityValues(story, random, { ...happening, by, at: recorder.at })),
      )
    },
  }
}

type NewActivity = (typeof happenings)[number] & { by: Writer; at: Date }

function activityValues(story: Story, random: Random, { by, at, outcome, body, ...values }: NewActivity): Values {
  const { organization, people, deals } = accountsOf(story, random, by)[0]!
  const person = random.pick(people)
  const names = { org: organization.title as string, person: person.title as string }
  return {
    ...values,
    outcome: filled(outcome, names),
    at: new Date(at.getTime() - random.int(20, 150) * 60_000).toISOString(),
    ...(body && { body: filled(body, names) }),
    about: [organization, ...deals.slice(0, 1)].map(({ id }) => id),
    people: [person.id],
  }
}

/** Those from the website are written by its form. One lead becomes a customer. */
function leadEntries(story: Story, daysAgo: number, turn: number): Entry[] {
  const random = story.random.fork(`leads ${turn}`)
  const by = writerOn(story, daysAgo, turn)
  const isConverted = turn === convertedTurn
  const people = leadsOf(story).slice(turn * 3, turn * 3 + 3)
  const values = people.map((person, i) => leadValues(story, random, person, isConverted && i === 0))
  const made: Shown[] = []
  const add = (isFromForm: boolean): Entry => ({
    daysAgo,
    by: isFromForm ? formOf(story) : by,
    async write(recorder) {
      const own = values.filter(({ page }) => isFromForm === (page !== undefined))
      const records = own.map((one) => ({ ...one, owner: by.actor.user_id }))
      if (records.length) made.push(...(await recorder.create('leads', records)))
    },
  })
  const moved = (after: number, count: number, values: (lead: Shown) => Values): Entry => ({
    daysAgo: daysAgo - after,
    by,
    write: (recorder) => recorder.update('leads', made.slice(0, count), (i) => values(made[i]!)),
  })
  const closed = random.pick(['qualified', 'disqualified'])
  const end = moved(6, 1, () => ({ status: closed }))
  const amount = money(priceIn(6400, story.currency), story.currency)
  const becomesCustomer: Entry = {
    ...end,
    async write(recorder) {
      const { person, organization } = await recorder.convert(made.find(hasCompany)!, { amount })
      const country = () => ({ country: story.home.country })
      if (person) await recorder.update('people', [person], country)
      if (organization) await recorder.update('organizations', [organization], country)
    },
  }
  const moves = [
    moved(2, 2, ({ created_at }) => ({ status: 'working', first_response_at: answeredAfter(random, created_at) })),
    isConverted ? becomesCustomer : end,
  ]
  return [add(true), add(false), ...moves.filter((move) => move.daysAgo > 0)]
}

const convertedTurn = 1
const hasCompany = ({ company_name }: Shown) => company_name !== undefined && company_name !== null

const answeredAfter = (random: Random, created_at: unknown) =>
  new Date(Date.parse(String(created_at)) + random.int(12, 330) * 60_000).toISOString()

const formOf = ({ crew, website: { id, name } }: Story): Writer => ({
  ...crew[0]!,
  door: 'lead_form',
  principal: { kind: 'source', id, name },
})

function leadValues(
  { website }: Story,
  random: Random,
  { given, family, mailbox, city, home }: Person,
  isCompany: boolean,
): Values {
  const source = random.pick([...sources, 'Website', 'Website'])
  const company = random.chance(0.6) || isCompany ? `${city} ${random.pick(['Trading', 'Design', 'Consulting'])}` : null
  const domain = company ? `${ascii(company).replace(/^-/, '')}.example` : 'mail.example'
  return {
    first_name: given,
    last_name: family,
    email: `${mailbox}@${domain}`,
    phone: phoneIn(random, home),
    ...(company && { company_name: company }),
    message: random.pick(enquiries),
    source,
    ...(source === 'Website' && { page: website.page, referrer: 'https://search.example/' }),
    ...(source === 'Newsletter' && { campaign: 'Spring news', utm_source: 'newsletter', utm_medium: 'email' }),
    consent: true,
  }
}
