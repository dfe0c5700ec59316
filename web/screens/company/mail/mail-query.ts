import { queryOptions } from '@tanstack/react-query'
import type { contract } from '../../../../contract/index.ts'
import type { Output } from '../../../../contract/operation.ts'
import { api } from '../../../client/api.ts'

export type MailSettings = Output<typeof contract.getMailSettings>

export const mailQuery = queryOptions({ queryKey: ['mail'], queryFn: () => api.getMailSettings({}) })
