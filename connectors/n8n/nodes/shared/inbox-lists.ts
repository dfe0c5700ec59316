import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow'
import { inboxOptions } from '../../kith/inbox.ts'
import { call } from './call.ts'

function optionsOf(list: Parameters<typeof inboxOptions>[1]) {
  return function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
    return inboxOptions((operation, input) => call(this, operation, input), list)
  }
}

export const channels = optionsOf('channels')
export const templates = optionsOf('templates')
export const labels = optionsOf('labels')
export const users = optionsOf('users')
