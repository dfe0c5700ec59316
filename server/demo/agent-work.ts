// The work of the agent. Its last change is a mistake, for an Admin to find and undo.
import type { Values } from '../engine/values/from-row.ts'
import { currencyFor, money, priceIn } from './money.ts'
import type { Random } from './random.ts'
import { findings } from './sales-texts.ts'
import type { Account, Entry, Story } from './story.ts'
import { noteValues } from './work.ts'

export const agentClient = 'claude-code/2.1'

export function agentEntries(story: Story): Entry[] {
  const random = story.random.fork('agent')
  const { agent: by, accounts } = story
  const notes = (from: number, to: number) =>
    findings.slice(from, to).map((body) => noteValues(story, random, by, body))
  return [
    {
      daysAgo: 3,
      by,
      async write(recorder) {
        const researched = random.shuffled(accounts).slice(0, 8)
        const organizations = researched.map(({ organization }) => organization)
        await recorder.update('organizations', organizations, (i) => learned(random, researched[i]!, story.currency))
        await recorder.create('notes', notes(0, 3))
      },
    },
    {
      daysAgo: 2,
      by,
      async write(recorder) {
        const people = random.shuffled(accounts.flatMap((account) => account.people)).slice(0, 10)
        await recorder.update('people', people, () => ({ score: random.int(20, 95) }))
        await recorder.create('notes', notes(3, 4))
      },
    },
    {
      daysAgo: 1,
      by,
      async write(recorder) {
        const customers = accounts.flatMap((account) => account.people).filter(({ status }) => status === 'customer')
        const away = random.shuffled(customers).slice(0, 9)
        await recorder.update('people', away, () => ({ status: 'former', do_not_contact: true }))
        await recorder.create('notes', [{ body: findings[4]!, about: away.map(({ id }) => id) }])
      },
    },
  ]
}

const learned = (random: Random, { organization, home }: Account, companyCurrency: string): Values => {
  const currency = currencyFor(home.country, companyCurrency)
  return {
    website: `https://www.${(organization.domains as string[])[0]}`,
    annual_revenue: money(priceIn(random.int(4, 400) * 100_000, currency), currency),
  }
}
