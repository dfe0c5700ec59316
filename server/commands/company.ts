// npm run company -- create | export | import
import { StartError } from '../platform/config.ts'
import { runProgram } from '../platform/run-command.ts'
import * as create from './company/create.ts'
import * as exporting from './company/export.ts'
import * as importing from './company/import.ts'

const [name = '', ...args] = process.argv.slice(2)
const actions = new Map(Object.entries({ create, export: exporting, import: importing }))
const action = actions.get(name)

await runProgram(action?.stopped ?? 'Stopped.', async (terminal, signal) => {
  if (action) return action.run(terminal, args, signal)
  throw new StartError(`Usage:\n${[...actions.values()].map(({ usage }) => usage).join('\n')}`)
})
