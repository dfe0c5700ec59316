import type { Hours, Targets, Weekday } from '../../../../contract/working-hours.ts'
import { weekdays } from '../../../../contract/working-hours.ts'
import type { InboxHours } from '../../../channels/hours.ts'

export type ChannelHours = InboxHours['channels'][number]
export type { Hours, InboxHours, Targets, Weekday }

/** What most companies begin with. */
export const usualHours: Hours = {
  time_zone: null,
  days: Object.fromEntries(
    weekdays.map((day, i) => [day, i < 5 ? [{ from: '09:00', to: '17:00' }] : []]),
  ) as Hours['days'],
  holidays: [],
}

export const noTargets: Targets = { response_minutes: null, resolution_minutes: null }
