import { queryOptions } from '@tanstack/react-query'
import type { contract } from '../../contract/index.ts'
import type { Output } from '../../contract/operation.ts'
import { api } from '../client/api.ts'

export type InboxHours = Output<typeof contract.getWorkingHours>

/** Working hours and targets of the company and its channels. */
export const hoursQuery = queryOptions({
  queryKey: ['inbox', 'hours'],
  queryFn: ({ signal }) => api.getWorkingHours({}, { signal }),
})

export const targetsOf = (hours: InboxHours | undefined, channel_id: string) =>
  hours?.channels.find((one) => one.channel_id === channel_id)?.targets ?? hours?.targets
