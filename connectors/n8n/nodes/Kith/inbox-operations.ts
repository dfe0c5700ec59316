import type { IDataObject, IExecuteFunctions } from 'n8n-workflow'
import { call } from '../shared/call.ts'
import { listIn, type Run, recordIn, textIn, timeIn, writing } from './inputs.ts'

type Listed = { items: IDataObject[] }

export const inboxOperations: Record<string, Run> = {
  async sendMessage(node, item) {
    const { cc, sendAt, template } = node.getNodeParameter('options', item, {}) as IDataObject
    const input = {
      ...recipientIn(node, item),
      cc: listIn(cc),
      subject: textIn(node, 'subject', item),
      text: textIn(node, 'text', item),
      template_id: template || undefined,
      send_at: timeIn(node, sendAt),
    }
    return [await call(node, 'sendMessage', input, writing(node, item))]
  },
  async getConversations(node, item) {
    const input = { filter: textIn(node, 'filter', item), limit: node.getNodeParameter('limit', item) }
    return (await call<Listed>(node, 'listConversations', input, { itemIndex: item })).items
  },
  async getConversation(node, item) {
    return [await call(node, 'getConversation', { id: conversationIn(node, item) }, { itemIndex: item })]
  },
  async assignConversation(node, item) {
    const input = { id: conversationIn(node, item), user_id: textIn(node, 'assignee', item) ?? null }
    return [await call(node, 'assignConversation', input, writing(node, item))]
  },
  async updateConversation(node, item) {
    const input = {
      ids: [conversationIn(node, item)],
      state: textIn(node, 'state', item),
      snoozed_until: timeIn(node, node.getNodeParameter('snoozedUntil', item, '')),
      add_label_ids: listIn(node.getNodeParameter('labelsToAdd', item, [])),
      remove_label_ids: listIn(node.getNodeParameter('labelsToRemove', item, [])),
    }
    return (await call<Listed>(node, 'updateConversations', input, writing(node, item))).items
  },
}

const conversationIn = (node: IExecuteFunctions, item: number) => textIn(node, 'conversation', item)

function recipientIn(node: IExecuteFunctions, item: number) {
  const sendTo = node.getNodeParameter('sendTo', item)
  if (sendTo === 'conversation') return { conversation_id: conversationIn(node, item) }
  const channel_id = textIn(node, 'channel', item)
  if (sendTo === 'person') return { person_id: recordIn(node, item, 'person'), channel_id }
  return { to: listIn(node.getNodeParameter('to', item)), channel_id }
}
