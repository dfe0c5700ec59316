import type { Input, Operation } from './requests.ts'

type Named = { id: string; name: string; state?: string }
type Ask = (operation: Operation, input: Input) => Promise<{ items: Named[]; next_cursor?: string | null }>

const lists = {
  channels: 'listChannels',
  templates: 'listMessageTemplates',
  labels: 'listConversationLabels',
  users: 'listUsers',
} as const

/** What a list of the inbox offers to choose from. */
export async function inboxOptions(ask: Ask, list: keyof typeof lists) {
  const all: Named[] = []
  let cursor: string | undefined
  do {
    const page = await ask(lists[list], { cursor })
    all.push(...page.items)
    cursor = page.next_cursor ?? undefined
  } while (cursor)
  return all.filter(({ state }) => state !== 'disconnected').map(({ id, name }) => ({ name, value: id }))
}
