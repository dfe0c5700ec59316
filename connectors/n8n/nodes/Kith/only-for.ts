import type { INodeProperties } from 'n8n-workflow'

/** Shows a property for one resource, and for some of its operations only. */
export const onlyFor = (resource: string, ...operation: string[]): Pick<INodeProperties, 'displayOptions'> => ({
  displayOptions: { show: { resource: [resource], ...(operation.length && { operation }) } },
})
