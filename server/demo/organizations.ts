// Fictional organizations: their name, domain and industry.
import type { Home } from './countries.ts'
import type { Random } from './random.ts'

export type Organization = { name: string; domain: string; industry: string; city: string; home: Home }

/** Each has the name of a family and a trade, as `Steiner Logistik GmbH`. */
export function createOrganizations(random: Random, home: Home, count: number): Organization[] {
  const { family, trades, familyFirst } = home.culture
  const families = random.shuffled(family)
  const offset = random.int(0, trades.length - 1)
  return Array.from({ length: count }, (_, index) => {
    const [name, latin] = families[index % families.length]!
    const [trade, stem, industry] = trades[(offset + index + Math.floor(index / families.length)) % trades.length]!
    return {
      name: familyFirst ? `${name}${trade}` : `${name} ${trade}`,
      domain: `${latin}-${stem}.example`,
      industry,
      city: random.pick(home.cities),
      home,
    }
  })
}
