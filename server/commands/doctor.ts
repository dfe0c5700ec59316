// What `npm run doctor [-- --json]` runs.

import { examine } from '../doctor/examine.ts'
import { type Finding, lineOf, summaryOf } from '../doctor/finding.ts'
import { StartError } from '../platform/config.ts'
import { runProgram } from '../platform/program.ts'

await runProgram('Stopped.', async ({ say }, signal) => {
  const [option, ...more] = process.argv.slice(2)
  if ((option !== undefined && option !== '--json') || more.length) {
    throw new StartError('The doctor knows one option: npm run doctor -- --json')
  }
  const findings: Finding[] = []
  for await (const finding of examine(process.env)) {
    signal.throwIfAborted()
    findings.push(finding)
    if (!option) say(lineOf(finding))
  }
  const report = option ? JSON.stringify(findings, null, 2) : `\n${summaryOf(findings)}\n`
  if (findings.every(({ status }) => status !== 'failed')) return report
  if (option) say(report)
  throw new StartError(summaryOf(findings))
})
