// Where the stages of another product belong in a pipeline.
import { fold } from '../../../contract/filter/fold.ts'
import type { Stage } from '../../../contract/pipelines.ts'

type Known = Pick<Stage, 'name' | 'kind'>

/** The stages that pipelines of other products start with, in their order. */
const products = [
  // Pipedrive
  ['Qualified', 'Contact Made', 'Demo Scheduled', 'Proposal Made', 'Negotiations Started'],
  // HubSpot
  ['Appointment Scheduled', 'Qualified To Buy', 'Presentation Scheduled', 'Decision Maker Bought-In', 'Contract Sent'],
  // Salesforce
  [
    'Prospecting',
    'Qualification',
    'Needs Analysis',
    'Value Proposition',
    'Id. Decision Makers',
    'Perception Analysis',
    'Proposal/Price Quote',
    'Negotiation/Review',
  ],
  // Attio
  ['Lead', 'In Progress'],
  // Twenty
  ['New', 'Screening', 'Meeting', 'Proposal', 'Customer'],
].map((names) => names.map(fold))

/** New stages in the order of the product that they come from, or of the file: between the stages that they belong between. */
export function placesOf(names: string[], stages: Known[]): (Known & { position: number })[] {
  const order = orderOf([...names, ...stages.map(({ name }) => name)])
  const rank = (name: string) => order.indexOf(fold(name))
  const last = (name: string) => (rank(name) < 0 ? order.length : rank(name))
  const placed = [...stages]
  return names
    .toSorted((a, b) => last(a) - last(b))
    .map((name) => {
      const kind = kindOf(name)
      const before = placed.findLastIndex((one) => rank(one.name) >= 0 && rank(one.name) < rank(name))
      const after = rank(name) < 0 ? -1 : placed.findIndex((one) => rank(one.name) > rank(name))
      const position = before >= 0 ? before + 1 : after >= 0 ? after : lastOf(placed, kind) + 1
      placed.splice(position, 0, { name, kind })
      return { name, kind, position }
    })
}

/** That of the product which has most of these stages. One alone may have its name by chance. */
function orderOf(names: string[]): string[] {
  const known = new Set(names.map(fold))
  const hits = (order: string[]) => order.filter((name) => known.has(name)).length
  return products.reduce((best, order) => (hits(order) > Math.max(1, hits(best)) ? order : best), [])
}

/** Open stages come before those in which deals are won or lost. */
function lastOf(stages: Known[], kind: Known['kind']) {
  const kinds = kind === 'open' ? ['open'] : kind === 'won' ? ['open', 'won'] : ['open', 'won', 'lost']
  return stages.findLastIndex((stage) => kinds.includes(stage.kind))
}

const closed = {
  won: /^(closed\W*)?(won|gewonnen|gagne|ganad[ao])\b/,
  lost: /^(closed\W*)?(lost|verloren|perdu|perdid[ao])\b/,
}

function kindOf(name: string): Known['kind'] {
  const text = fold(name.trim())
  return closed.won.test(text) ? 'won' : closed.lost.test(text) ? 'lost' : 'open'
}
