// Uses every part of the connector in a running n8n, as its editor would, and prints what happened.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { actionsWorkflow } from './actions-workflow.mjs'
import { eventually, refusedHosts, startKith, startN8n, stopAll } from './servers.mjs'

const examples = join(import.meta.dirname, '..', 'examples')
const say = (text = '') => process.stdout.write(`${text}\n`)
const heading = (text) => say(`\n== ${text}`)

try {
  say('Starting Kith and n8n ...')
  const [kith, n8n] = await Promise.all([startKith(), startN8n()])
  const credential = await addCredential(kith, n8n)
  const lab = { kith, n8n, credentials: { kithApi: { id: credential.id, name: credential.name } } }
  await showLists(lab)
  await runActions(lab)
  await runQuietDeals(lab)
  await runWonDeal(lab)
  await runForm(lab)
  if (process.env.KEEP) {
    say(
      `\nn8n is open at ${n8n.url} (${n8n.login.email}, ${n8n.login.password}), Kith at ${kith.url}. Ctrl+C ends both.`,
    )
    await new Promise((resolve) => process.once('SIGINT', resolve))
  }
  say(`\nn8n tried to reach, but was kept from: ${refusedHosts().join(', ') || 'nothing'}`)
  say('Everything worked.')
} catch (error) {
  say(`\nFAILED: ${error.stack}`)
  process.exitCode = 1
} finally {
  await stopAll()
}

async function addCredential(kith, n8n) {
  heading('Credential')
  const data = { url: `${kith.url}/`, apiKey: kith.key }
  const credential = await n8n.rest('POST', '/credentials', { name: 'Kith', type: 'kithApi', data })
  const test = (apiKey) => {
    const { id, name, type } = credential
    return n8n.rest('POST', '/credentials/test', { credentials: { id, name, type, data: { ...data, apiKey } } })
  }
  say(`test with the key: ${JSON.stringify(await test(kith.key))}`)
  say(`test with a wrong key: ${JSON.stringify(await test('0'.repeat(64)))}`)
  return credential
}

/** What the editor asks for to fill its lists and forms. */
async function showLists({ n8n, credentials }) {
  heading('Lists and forms, from the schema of the company')
  const ask = (kind, methodName, currentNodeParameters, more) =>
    n8n.rest('POST', `/dynamic-node-parameters/${kind}`, {
      path: 'parameters.object',
      nodeTypeAndVersion: { name: 'n8n-nodes-kith.kith', version: 1 },
      currentNodeParameters,
      methodName,
      credentials,
      ...more,
    })
  const object = { __rl: true, mode: 'key', value: 'deals' }
  const objects = await ask('resource-locator-results', 'searchObjects', {})
  say(`objects: ${objects.results.map(({ name }) => name).join(', ')}`)
  const found = await ask('resource-locator-results', 'searchRecords', { object }, { filter: 'a' })
  say(
    `records for "a": ${found.results
      .slice(0, 3)
      .map(({ name }) => name)
      .join('; ')} ...`,
  )
  const { fields } = await ask('resource-mapper-fields', 'fieldsToCreate', { object, operation: 'create' })
  say(
    `fields of a new deal: ${fields.map(({ id, type, required }) => `${id} (${type}${required ? ', required' : ''})`).join(', ')}`,
  )
  const stage = fields.find(({ id }) => id === 'stage')
  say(`options of stage: ${stage.options.map(({ name }) => name).join(', ')}`)
  const nodes = await (await fetch(`${n8n.url}/types/nodes.json`, { headers: n8n.headers })).json()
  const ours = nodes.filter(({ name }) => name.startsWith('n8n-nodes-kith.'))
  say(`nodes: ${ours.map(({ name, displayName }) => `${displayName} (${name})`).join(', ')}`)
  const unique = await ask('options', 'unique', { object: { ...object, value: 'people' } })
  say(`unique fields of people: ${unique.map(({ name }) => name).join(', ')}`)
  for (const list of ['channels', 'templates', 'labels', 'users'])
    say(`${list}: ${(await ask('options', list, {})).map(({ name }) => name).join(', ')}`)
}

async function runActions(lab) {
  heading('Every operation of the action node, one after the other')
  const { channel } = await lab.kith.web('POST', '/channels/api', { name: 'Pigeons' })
  await lab.kith.web('PATCH', `/channels/${channel.id}`, { agents: 'send' })
  const execution = await runByHand(lab, actionsWorkflow(channel.id), 'Start')
  showNodes(execution)
}

async function runQuietDeals(lab) {
  heading('Example: follow-up-quiet-deals.json, run by hand')
  const execution = await runByHand(lab, exampleNamed('follow-up-quiet-deals'), 'Every weekday at 8:00')
  showNodes(execution)
}

async function runWonDeal(lab) {
  const { kith } = lab
  heading('Example: deal-won-start-onboarding.json, as a test in the editor')
  const workflow = await addWorkflow(lab, exampleNamed('deal-won-start-onboarding'))
  const first = await showSample(lab, workflow)

  heading('The same workflow, active')
  await setActive(lab, workflow, true)
  const webhooks = async () => (await kith.call('GET', '/webhooks')).items
  const webhook = await eventually(async () => (await webhooks())[0], 'the webhook in Kith')
  say(`webhook in Kith: "${webhook.description}" ${webhook.events} of ${webhook.object} to ${webhook.target_url}`)
  const forged = await fetch(webhook.target_url, { method: 'POST', body: '{"type":"deal.won"}' })
  say(`a request without a signature: ${forged.status} ${await forged.text()}`)
  const signed = {
    'webhook-id': 'forged',
    'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
    'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
  }
  const wrong = await fetch(webhook.target_url, { method: 'POST', headers: signed, body: '{"type":"deal.won"}' })
  say(`a request with a wrong signature: ${wrong.status} ${await wrong.text()}`)

  const [deal] = (await kith.call('POST', '/records/deals/query', { filter: 'status = open', limit: 1 })).records
  const second = await showSample(lab, workflow, first)
  say(`winning "${deal.title}" in Kith ...`)
  await kith.call('POST', '/deals/move', { ids: [deal.id], stage: 'Won' })
  const execution = await executionOf(lab, workflow.id, second.id)
  const changedAt = new Date(itemsOf(execution, 'Deal won')[0].json.at)
  say(`n8n started ${new Date(execution.startedAt) - changedAt} ms after the change`)
  showNodes(execution)
  const tasks = await kith.call('POST', '/records/tasks/query', { filter: `about has any ("${deal.id}")`, limit: 1 })
  say(`in Kith: task "${tasks.records[0].title}" about ${tasks.records[0].about[0].title}`)

  await setActive(lab, workflow, false)
  await eventually(async () => !(await webhooks()).length, 'the end of the webhook in Kith')
  say('webhooks in Kith after turning the workflow off: 0')
}

/** A test in the editor must leave the webhook of the active workflow alone. */
async function showSample(lab, workflow, previous) {
  await lab.n8n.rest('POST', `/workflows/${workflow.id}/run`, { triggerToStartFrom: { name: 'Deal won' } })
  const execution = await executionOf(lab, workflow.id, previous?.id)
  const [{ json }] = itemsOf(execution, 'Deal won')
  say(`sample event: ${json.type} "${json.record?.title}", test: ${json.test}, by ${json.principal.name}`)
  return execution
}

async function runForm(lab) {
  heading('Example: web-form-to-person.json, active, with the form sent twice')
  const workflow = await addWorkflow(lab, exampleNamed('web-form-to-person'))
  await setActive(lab, workflow, true)
  const path = workflow.nodes.find(({ name }) => name === 'Form').webhookId
  const address = `${lab.n8n.url}/form/${path}`
  await eventually(async () => (await fetch(address)).ok, 'the form')
  let last
  for (const message of ['Please call me', 'Please call me today']) {
    const form = new FormData()
    const answers = ['Grace', 'Hopper', 'grace.hopper@example.com', message]
    for (const [index, answer] of answers.entries()) form.append(`field-${index}`, answer)
    await fetch(address, { method: 'POST', body: form })
    last = await executionOf(lab, workflow.id, last?.id)
    showNodes(last)
  }
  const filter = 'emails = "grace.hopper@example.com"'
  const { count } = await lab.kith.call('POST', '/records/people/count', { filter })
  say(`people with this address in Kith: ${count}`)
  await setActive(lab, workflow, false)
}

function exampleNamed(name) {
  return JSON.parse(readFileSync(join(examples, `${name}.json`), 'utf8'))
}

function addWorkflow({ n8n, credentials }, workflow) {
  const nodes = workflow.nodes.map((node) => (node.type.startsWith('n8n-nodes-kith') ? { ...node, credentials } : node))
  return n8n.rest('POST', '/workflows', { ...workflow, nodes })
}

async function setActive({ n8n }, workflow, isActive) {
  const { versionId } = await n8n.rest('GET', `/workflows/${workflow.id}`)
  await n8n.rest('POST', `/workflows/${workflow.id}/${isActive ? 'activate' : 'deactivate'}`, {
    versionId,
    name: 'Try',
  })
}

async function runByHand(lab, workflow, trigger) {
  const { id } = await addWorkflow(lab, workflow)
  await lab.n8n.rest('POST', `/workflows/${id}/run`, { triggerToStartFrom: { name: trigger } })
  return executionOf(lab, id)
}

/** The newest execution of a workflow, once it has ended. */
async function executionOf({ n8n }, workflowId, previousId = 0) {
  const ended = await eventually(async () => {
    const { data } = await n8n.api('GET', `/executions?workflowId=${workflowId}&limit=1`)
    return data[0] && Number(data[0].id) > Number(previousId) && data[0].stoppedAt && data[0]
  }, 'an execution in n8n')
  const execution = await n8n.api('GET', `/executions/${ended.id}?includeData=true`)
  if (execution.status === 'success') return execution
  const { error } = execution.data.resultData
  throw new Error(`${execution.status}: ${error?.message} ${error?.description ?? ''} (node ${error?.node?.name})`)
}

function itemsOf(execution, node) {
  return execution.data.resultData.runData[node].at(-1).data.main[0]
}

function showNodes(execution) {
  say(`execution ${execution.id} (${execution.mode}): ${execution.status}`)
  for (const [name, runs] of Object.entries(execution.data.resultData.runData)) {
    const items = itemsOf(execution, name)
    say(`  ${name}: ${items.length} ${items.length === 1 ? 'item' : 'items'}, ${runs.at(-1).executionTime} ms`)
    if (items.length) say(`    ${shortened(items[0].json)}`)
  }
}

/** Without what every record has, and not too long. */
function shortened({ version, owner, created_at, created_by, updated_at, ...json }) {
  const text = JSON.stringify(json)
  return text.length > 300 ? `${text.slice(0, 300)} ...` : text
}
