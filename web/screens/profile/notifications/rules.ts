import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { contract } from '../../../../contract/index.ts'
import type { Output } from '../../../../contract/operation.ts'
import { api } from '../../../client/api.ts'

export type Rule = Output<typeof contract.listNotificationRules>['items'][number]

export function useRulesChanged() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: rulesQuery.queryKey })
}

export const actionWords: Record<Rule['actions'][number], string> = {
  created: 'Created',
  updated: 'Updated',
  deleted: 'Deleted',
  restored: 'Restored from the trash',
}

export const makerWords: Record<Rule['made_by'], string> = {
  others: 'Anyone but me',
  agents: 'Agents and programs',
  anyone: 'Anyone, including me',
}

/** What a rule is about. All but the first limit notifications that come anyway. */
export const kindWords: Record<Rule['kind'], string> = {
  record_matched: 'Records are created or changed',
  record_assigned: 'Records are assigned to me',
  mentioned: 'I am mentioned, or someone replies to my note',
  task_due: 'One of my tasks is due or has a reminder',
  record_changed_by_agent: 'An agent changes my records',
}

export const rulesQuery = queryOptions({
  queryKey: ['notification-rules'],
  queryFn: () => api.listNotificationRules({}),
})
