import {
  type IDataObject,
  type IHookFunctions,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  NodeConnectionTypes,
  NodeOperationError,
} from 'n8n-workflow'
import { signatureProblem } from '../../kith/signature.ts'
import { call, find } from '../shared/call.ts'
import * as lists from '../shared/lists.ts'
import { properties } from './properties.ts'

type Webhook = { id: string; target_url: string; state: string; secret?: string }
/** What n8n keeps for an active workflow. Kith shows the secret only once. */
type Registered = { webhookId?: string; secret?: string }

export class KithTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Kith Trigger',
    name: 'kithTrigger',
    icon: { light: 'file:../../icons/kith.svg', dark: 'file:../../icons/kith.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{ $parameter["events"].join(", ") }}',
    description: 'Starts the workflow when records in Kith are created, changed or deleted',
    defaults: { name: 'Kith Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'kithApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties,
  }

  methods = { loadOptions: { objects: lists.objects, fields: lists.fields } }

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const { webhookId, secret } = this.getWorkflowStaticData('node') as Registered
        if (!webhookId || !secret) return false
        const webhook = await find<Webhook>(this, 'getWebhook', { id: webhookId })
        return webhook?.state === 'active' && webhook.target_url === this.getNodeWebhookUrl('default')
      },
      async create(this: IHookFunctions): Promise<boolean> {
        const target_url = this.getNodeWebhookUrl('default')
        await removeOthers(this, target_url)
        const { id, secret } = await call<Webhook>(this, 'createWebhook', { target_url, ...settingsOf(this) })
        Object.assign(this.getWorkflowStaticData('node'), { webhookId: id, secret })
        const wantsSample = this.getMode() === 'manual' && this.getNodeParameter('whenTesting') === 'sample'
        if (wantsSample) await call(this, 'testWebhook', { id, type: firstEvent(this) })
        return true
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        const registered = this.getWorkflowStaticData('node') as Registered
        if (registered.webhookId) await find(this, 'deleteWebhook', { id: registered.webhookId })
        delete registered.webhookId
        delete registered.secret
        return true
      },
    },
  }

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { secret } = this.getWorkflowStaticData('node') as Registered
    const { rawBody } = this.getRequestObject()
    const problem = secret ? signatureProblem(secret, this.getHeaderData(), rawBody) : 'This webhook is not registered.'
    if (!problem) return { workflowData: [[{ json: this.getBodyData() }]] }
    this.getResponseObject().status(401).json({ message: problem })
    return { noWebhookResponse: true }
  }
}

/** Its address belongs to this node alone, so an older webhook to it is one whose secret was lost. */
async function removeOthers(node: IHookFunctions, target_url: string | undefined) {
  const { items } = await call<{ items: Webhook[] }>(node, 'listWebhooks')
  for (const { id } of items.filter((webhook) => webhook.target_url === target_url))
    await find(node, 'deleteWebhook', { id })
}

function settingsOf(node: IHookFunctions): IDataObject {
  const object = (node.getNodeParameter('object') as string) || null
  const filter = (node.getNodeParameter('filter', '') as string).trim() || null
  const { fields, filterOn, skipBulk, inOrder } = node.getNodeParameter('options', {}) as IDataObject
  if (filter && !object) throw new NodeOperationError(node.getNode(), 'Choose an object to use a filter')
  return {
    description: `n8n: ${node.getWorkflow().name ?? 'workflow'}`.slice(0, 200),
    events: node.getNodeParameter('events') as string[],
    object,
    filter,
    filter_on: filterOn ?? 'after',
    fields: object && (fields as string[] | undefined)?.length ? fields : null,
    skip_bulk: skipBulk ?? false,
    is_ordered: inOrder ?? false,
  }
}

function firstEvent(node: IHookFunctions) {
  const [first] = node.getNodeParameter('events') as string[]
  return first === '*' ? undefined : first
}
