import { expect, test } from 'vitest'
import { placesOf } from './stage-order.ts'

const sales = [
  { name: 'Qualified', kind: 'open' },
  { name: 'Proposal', kind: 'open' },
  { name: 'Negotiation', kind: 'open' },
  { name: 'Won', kind: 'won' },
  { name: 'Lost', kind: 'lost' },
] as const

function withStages(names: string[]) {
  const all: { name: string; kind: string }[] = [...sales]
  for (const { position, ...stage } of placesOf(names, [...sales])) all.splice(position, 0, stage)
  return all.map(({ name, kind }) => (kind === 'open' ? name : `${name} (${kind})`))
}

test('stages of another product come in its order, after the one that both have', () => {
  expect(withStages(['Negotiations Started', 'Demo Scheduled', 'Contact Made', 'Proposal Made'])).toEqual([
    'Qualified',
    'Contact Made',
    'Demo Scheduled',
    'Proposal Made',
    'Negotiations Started',
    'Proposal',
    'Negotiation',
    'Won (won)',
    'Lost (lost)',
  ])
})

test('other stages come in the order of the file, open ones before those in which deals are won or lost', () => {
  expect(withStages(['Lost to competitor', 'Kick-off', 'Closed Won - renewal', 'Pilot', 'Contract Sent'])).toEqual([
    'Qualified',
    'Proposal',
    'Negotiation',
    'Kick-off',
    'Pilot',
    'Contract Sent',
    'Won (won)',
    'Closed Won - renewal (won)',
    'Lost (lost)',
    'Lost to competitor (lost)',
  ])
})
