import type { Tool } from '../../server/transports/mcp/catalog.ts'
import { accepted, answerable, ask, elicit, listRoots, mustHave, remembered, reply, sample } from './questions.ts'
import { said, tool } from './tools.ts'

const yourName = elicit('What is your name?', { name: { type: 'string' } })
const yourColor = elicit('Step 2: What is your favorite color?', { color: { type: 'string' } })
const confirm = elicit('Please confirm', { ok: { type: 'boolean' } })

export const askingTools: Tool[] = [
  tool('test_missing_capability', 'Needs a client that samples', (call) => {
    mustHave(call, 'sampling')
    return said('This client can sample.')
  }),
  tool('test_streaming_elicitation', 'Asks without a request of its own', (call) =>
    accepted(call, 'confirm') ? said('Confirmed.') : ask(call, { confirm }),
  ),
  tool('test_input_required_result_elicitation', 'Asks for a name', (call) => {
    const name = accepted(call, 'user_name')?.name
    return typeof name === 'string' ? said(`Hello, ${name}!`) : ask(call, { user_name: yourName })
  }),
  tool('test_input_required_result_sampling', 'Asks a model', (call) => {
    const answer = reply(call, 'capital_question')
    if (!answer) return ask(call, { capital_question: sample('What is the capital of France?') })
    return { content: [answer.content].flat() }
  }),
  tool('test_input_required_result_list_roots', 'Asks for the roots', (call) => {
    const roots = reply(call, 'client_roots')?.roots
    return roots ? said(`The roots: ${JSON.stringify(roots)}`) : ask(call, { client_roots: listRoots })
  }),
  tool('test_input_required_result_request_state', 'Remembers that it asked', (call) =>
    remembered(call)?.asked && accepted(call, 'confirm') ? said('state-ok') : ask(call, { confirm }, { asked: true }),
  ),
  tool('test_input_required_result_tampered_state', 'Takes only what it has signed', (call) =>
    remembered(call)?.asked && accepted(call, 'confirm') ? said('Untouched.') : ask(call, { confirm }, { asked: true }),
  ),
  tool('test_input_required_result_multiple_inputs', 'Asks three things at once', (call) => {
    const questions = { user_name: yourName, greeting: sample('Generate a greeting'), client_roots: listRoots }
    const isAnswered = remembered(call)?.asked && Object.keys(questions).every((key) => reply(call, key))
    return isAnswered ? said('All is answered.') : ask(call, questions, { asked: true })
  }),
  tool('test_input_required_result_multi_round', 'Asks one thing after the other', (call) => {
    const known = remembered(call)
    const name = known?.name ?? (known && accepted(call, 'step1')?.name)
    if (!name) return ask(call, { step1: yourName }, { round: 1 })
    const color = known?.round === 2 && accepted(call, 'step2')?.color
    return color ? said(`${name} likes ${color}.`) : ask(call, { step2: yourColor }, { round: 2, name })
  }),
  tool('test_input_required_result_capabilities', 'Asks only what the client can answer', (call) =>
    ask(call, answerable(call, { user_name: yourName, greeting: sample('Generate a greeting') })),
  ),
]
