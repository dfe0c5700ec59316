import { expect, test } from 'vitest'
import { type Grant, grants, memberGrants } from '../../contract/shared/access.ts'
import { areas, areasForDevelopers, isDeveloper, openTo } from './areas.ts'

test('the sidebar has only what the person may use: no lead sending and no pages for developers for a Member', () => {
  const member = (grant: Grant) => memberGrants.includes(grant)
  const admin = (grant: Grant) => grants.includes(grant)
  const labels = (may: typeof member) => openTo(areas, may).map(({ label }) => label)
  expect([labels(member).includes('Lead sending'), isDeveloper(member)]).toEqual([false, false])
  expect([labels(admin).includes('Lead sending'), isDeveloper(admin)]).toEqual([true, true])
  expect(areasForDevelopers.map(({ label }) => label)).toEqual(['API Keys', 'Filter Syntax', 'API'])
})
