// npm run doctor [-- --json]

import { examine } from '../doctor/examine.ts'
import { type Finding, lineOf, summaryOf } from '../doctor/finding.ts'
import { StartError } from '../platform/config.ts'
import { runProgram } from '../platform/run-command.ts'

await runProgram('Stopped.', async ({ say }, signal) => {
  const [option, ...others] = process.argv.slice(2)
  if ((option !== undefined && option !== '--json') || others.length) {
    throw new StartError('Usage: npm run doctor [-- --json]')
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
