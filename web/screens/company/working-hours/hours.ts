import { queryOptions } from '@tanstack/react-query'
import type { contract } from '../../../../contract/index.ts'
import type { Output } from '../../../../contract/operation.ts'
import type { Hours, Targets, Weekday } from '../../../../contract/working-hours.ts'
import { weekdays } from '../../../../contract/working-hours.ts'
import { api } from '../../../client/api.ts'

export type InboxHours = Output<typeof contract.getWorkingHours>
export type ChannelHours = InboxHours['channels'][number]
export type { Hours, Targets, Weekday }

export const hoursQuery = queryOptions({
  queryKey: ['inbox', 'hours'],
  queryFn: ({ signal }) => api.getWorkingHours({}, { signal }),
})

/** What most companies begin with. */
export const usualHours: Hours = {
  time_zone: null,
  days: Object.fromEntries(
    weekdays.map((day, i) => [day, i < 5 ? [{ from: '09:00', to: '17:00' }] : []]),
  ) as Hours['days'],
  holidays: [],
}

export const noTargets: Targets = { response_minutes: null, resolution_minutes: null }
