import { expect, test } from 'vitest'
import { testApp } from '../../test/app.ts'
import { mcpFor, modernMeta } from '../../test/mcp.ts'
import { traceIn } from './traces.ts'

const kith = await testApp()
const { modern } = await mcpFor(kith)
const trace = '0af7651916cd43dd8448eb211c80319c'
const other = 'b7ad6b7169203331b7ad6b7169203331'
const traceparent = (id: string) => `00-${id}-b7ad6b7169203331-01`

test('requests are found by the trace that a header or the _meta of a message names', async () => {
  const key = await kith.given.key(await kith.given.company())
  const headers = { 'x-api-key': key, traceparent: traceparent(trace) }
  const answer = await kith.send('/api/v1/company', { headers })
  await modern(
    key,
    'tools/call',
    { name: 'whoami', _meta: { ...modernMeta, traceparent: traceparent(other) } },
    headers,
  )
  await kith.requests.flush()
  const of = async (trace_id: string) => (await kith.withKey(key).listRequests({ trace_id })).items
  expect(await of(trace)).toMatchObject([{ request_id: answer.headers.get('x-request-id'), trace_id: trace }])
  expect(await of(other)).toMatchObject([{ door: 'mcp', operation: 'whoami', trace_id: other }])
})

test.each([
  ['a later version may say more', `01-${trace}-b7ad6b7169203331-01-what-comes-later`, trace],
  ['version ff is invalid', `ff-${trace}-b7ad6b7169203331-01`, null],
  ['no trace has only zeros', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`, null],
  ['it is written in lower case', `00-${trace.toUpperCase()}-b7ad6b7169203331-01`, null],
  ['it is nothing else', `${trace}`, null],
  ['it is one text', [traceparent(trace)], null],
])('%s', (_, text, found) => expect(traceIn(text)).toBe(found))
