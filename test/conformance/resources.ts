import type { Resource, Template } from '../../server/transports/mcp/catalog.ts'
import { png } from './samples.ts'

const staticText = { uri: 'test://static-text', mimeType: 'text/plain' }
const staticBinary = { uri: 'test://static-binary', mimeType: 'image/png' }

export const resources: Resource[] = [
  {
    listing: { ...staticText, name: 'static-text', description: 'A text that never changes' },
    access: 'member',
    read: async () => [{ ...staticText, text: 'This is the content of the static text resource.' }],
  },
  {
    listing: { ...staticBinary, name: 'static-binary', description: 'A picture that never changes' },
    access: 'member',
    read: async () => [{ ...staticBinary, blob: png }],
  },
]

export const templates: Template[] = [
  {
    listing: {
      uriTemplate: 'test://template/{id}/data',
      name: 'template',
      description: 'Data made for any id',
      mimeType: 'application/json',
    },
    access: 'member',
    async read(uri) {
      const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
      if (!id) return
      const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
      return [{ uri, mimeType: 'application/json', text }]
    },
  },
]
