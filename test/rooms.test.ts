import { expect, test } from 'vitest'
import { faultsOf, fileOf, tooLarge, withoutOperations } from '../scripts/rooms.ts'

const rooms = { server: ['kernel', 'leads', ''], web: ['client', 'ui/page', 'screens', ''] }
const web = (...files: [file: string, text: string][]) =>
  faultsOf(
    [],
    files.map(([file, text]) => fileOf(file, text)),
    rooms,
  )

test('a room may be listed only once', () => {
  expect(faultsOf([], [], { server: ['kernel', 'leads', 'kernel'], web: [] })).toEqual([
    expect.stringContaining('server/kernel is listed twice'),
  ])
})

test('a room does not import a later one, nor one that is not listed', () => {
  const early = fileOf('kernel/run.ts', "import { leads } from '../leads/leads.ts'")
  expect(faultsOf([early], [], rooms)).toEqual([expect.stringContaining('is in a higher room')])
  const late = fileOf('leads/leads.ts', "import { run } from '../kernel/run.ts'")
  expect(faultsOf([late], [], rooms)).toEqual([])
  const unknown = fileOf('deals/deals.ts', "import { run } from '../kernel/run.ts'")
  expect(faultsOf([unknown], [], rooms)).toEqual([expect.stringContaining('server/deals is not listed')])
})

test('a screen imports no other one, and every page of the settings and the profile is a screen', () => {
  expect(web(['screens/list/list.tsx', "import { Record } from '../record/record.tsx'"])).toEqual([
    expect.stringContaining('must not import another one'),
  ])
  expect(web(['screens/settings/keys/keys.tsx', "import { Role } from '../roles/role.tsx'"])).toHaveLength(1)
  expect(web(['screens/settings/keys/keys.tsx', "import { words } from '../audit-words.ts'"])).toEqual([])
  expect(web(['screens/profile/keys/form/form.tsx', "import { Code } from '../../two-factor/code.tsx'"])).toHaveLength(
    1,
  )
  expect(web(['screens/profile/keys/form/form.tsx', "import { Key } from '../keys.tsx'"])).toEqual([])
})

test('the folders of a screen do not depend on each other in a circle, not even by their styles', () => {
  const grid: [string, string] = ['screens/list/grid/grid.tsx', "import { Tools } from '../tools/tools.tsx'"]
  expect(web(grid)).toEqual([])
  expect(web(grid, ['screens/list/tools/tools.tsx', "import css from '../grid/grid.module.css'"])).toEqual([
    expect.stringContaining('screens/list/grid, screens/list/tools'),
  ])
  const parts: [string, string] = ['screens/list/tools/tools.tsx', "import '../list.css'"]
  const page: [string, string] = ['screens/list/list.tsx', "import { Grid } from './grid/grid.tsx'"]
  expect(web(grid, parts, page)).toEqual([
    expect.stringContaining('screens/list, screens/list/grid, screens/list/tools'),
  ])
})

test('a folder has at most 40 files of code, unless its listing has a purpose', () => {
  const files = (folder: string, count: number) => Array.from({ length: count }, (_, i) => `${folder}/${i}.ts`)
  expect(tooLarge([...files('server/leads', 40), ...files('contract', 60)])).toEqual([])
  expect(tooLarge(files('server/leads', 41))).toEqual([expect.stringContaining('server/leads/ has 41 files of code')])
})

test('every file directly in contract/ defines operations', () => {
  const withOne = { file: 'deals.ts', text: 'export const deals = { listDeals: operation({}) }' }
  const withNone = { file: 'words.ts', text: 'export const words = []' }
  expect(withoutOperations([withOne, { ...withNone, file: 'shared/words.ts' }])).toEqual([])
  expect(withoutOperations([withNone])).toEqual([expect.stringContaining('contract/words.ts defines no operation')])
})
