import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { RuleAction, RuleActionKind, RuleStart, RuleTime } from '../../../../contract/inbox-rules.ts'
import type { contract } from '../../../../contract/index.ts'
import type { Output } from '../../../../contract/operation.ts'
import { api } from '../../../client/api.ts'

export type Rule = Output<typeof contract.listInboxRules>['items'][number]

export const rulesQuery = queryOptions({
  queryKey: ['inbox', 'rules'],
  queryFn: async ({ signal }) => (await api.listInboxRules({}, { signal })).items,
})

export function useRulesChanged() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: rulesQuery.queryKey })
}

export const startWords: Record<RuleStart, string> = {
  conversation_created: 'A conversation starts',
  message_received: 'Any message arrives',
}

export const timeWords: Record<RuleTime, string> = {
  always: 'At any time',
  working_hours: 'During working hours',
  outside_hours: 'Outside working hours',
}

export const actionWords: Record<RuleActionKind, string> = {
  assign: 'Assign',
  label: 'Add labels',
  reply: 'Reply with a template',
  task: 'Create a task',
  notify: 'Notify',
  close: 'Close',
}
export const actionKinds = Object.keys(actionWords) as RuleActionKind[]

export const newAction = (kind: RuleActionKind): RuleAction => {
  switch (kind) {
    case 'assign':
    case 'notify':
      return { kind, user_ids: [] }
    case 'label':
      return { kind, label_ids: [] }
    case 'reply':
      return { kind, template_id: '' }
    case 'task':
      return { kind, title: '', due_in_hours: 24, user_id: null }
    case 'close':
      return { kind }
  }
}
