// Deals that their owners move from stage to stage over the weeks.
import type { Shown, Values } from '../engine/values/from-row.ts'
import { accountsOf, writerOn } from './customers.ts'
import { currencyFor, money, priceIn } from './money.ts'
import type { Random } from './random.ts'
import { lostReasons, offers, products, sources } from './sales-texts.ts'
import type { Account, Entry, Story } from './story.ts'
import { dayFrom } from './times.ts'

const startDays = [52, 47, 42, 37, 32, 27, 22, 17, 11, 5]
const dealsPerStart = 3
const daysToMove = [4, 9, 15]
const paths = [
  ['proposal', 'negotiation', 'won'],
  ['proposal', 'lost'],
  ['proposal', 'negotiation'],
  ['proposal'],
  [],
  ['proposal', 'negotiation', 'won'],
  ['proposal', 'negotiation', 'lost'],
]

export const dealEntries = (story: Story): Entry[] => [productEntry(story), ...salesEntries(story)]

const productEntry = ({ crew, products: made, currency }: Story): Entry => ({
  daysAgo: 56,
  by: crew[0]!,
  async write(recorder) {
    const values = products.map(({ price, ...product }) => ({
      ...product,
      price: money(priceIn(price, currency), currency),
    }))
    const created = await recorder.create('products', values)
    for (const [i, { name }] of products.entries()) made.set(name, created[i]!)
  },
})

const salesEntries = (story: Story): Entry[] =>
  startDays.flatMap((daysAgo, turn) => {
    const random = story.random.fork(`deals ${turn}`)
    const by = writerOn(story, daysAgo, turn)
    const started: Shown[] = []
    const start: Entry = {
      daysAgo,
      by,
      async write(recorder) {
        const owned = accountsOf(story, random, by)
        const accounts = (daysAgo < 30 ? homeFirst(story, owned) : owned).slice(0, dealsPerStart)
        const lines = accounts.map((account) => lineOf(story, random, offerTo(story, account), account))
        const values = accounts.map((account, i) => dealValues(random, account, lines[i]!, story.now))
        started.push(...(await recorder.create('deals', values)))
        const sold = lines.map((line, i) => lineValues(story, line, started[i]!))
        await recorder.create('deal_lines', sold)
        for (const [i, account] of accounts.entries()) account.deals.push(started[i]!)
      },
    }
    const moves = daysToMove.map((days, step): Entry => {
      const stageOf = (place: number) => paths[(turn * dealsPerStart + place) % paths.length]![step]
      return {
        daysAgo: daysAgo - days,
        by,
        async write(recorder) {
          const stages = started.map((_, place) => stageOf(place))
          const moving = started.filter((_, place) => stages[place])
          const next = stages.flatMap((stage) => stage ?? [])
          if (moving.length) await recorder.update('deals', moving, (i) => stageValues(random, next[i]!, recorder.at))
        },
      }
    })
    return [start, ...moves.filter((move) => move.daysAgo > 0)]
  })

/** The newest deals are the first in every list. */
const homeFirst = ({ home }: Story, accounts: Account[]) =>
  accounts.toSorted((a, b) => Number(a.home !== home) - Number(b.home !== home))

/** Each deal of an account has a different offer. */
const offerTo = ({ accounts }: Story, account: Account) =>
  offers[(accounts.indexOf(account) + account.deals.length) % offers.length]!

type Line = { offer: (typeof offers)[number]; quantity: number; price: number; currency: string }

/** Enough of it for a sum between some thousands and some ten thousands. */
function lineOf(story: Story, random: Random, offer: Line['offer'], { home }: Account): Line {
  const { price } = products.find(({ name }) => name === offer.product)!
  const quantity = Math.max(1, Math.round((random.int(8, 240) * 250) / price))
  const currency = currencyFor(home.country, story.currency)
  return { offer, quantity, price: priceIn(price, currency), currency }
}

const lineValues = ({ products: made }: Story, { offer, quantity, price, currency }: Line, deal: Shown): Values => ({
  deal: deal.id,
  product: made.get(offer.product)!.id,
  quantity,
  unit_price: money(price, currency),
})

function dealValues(random: Random, { organization, people }: Account, line: Line, now: Date): Values {
  return {
    name: `${organization.title}: ${line.offer.name}`,
    amount: money(line.quantity * line.price, line.currency),
    expected_close: dayFrom(now, random.int(-4, 70)).toISOString().slice(0, 10),
    organization: organization.id,
    people: random.shuffled(people.map(({ id }) => id)).slice(0, random.int(1, 2)),
    source: random.pick(sources),
  }
}

const stageValues = (random: Random, stage: string, at: Date): Values => ({
  stage,
  ...((stage === 'won' || stage === 'lost') && { expected_close: at.toISOString().slice(0, 10) }),
  ...(stage === 'lost' && { lost_reason: random.pick(lostReasons) }),
})
