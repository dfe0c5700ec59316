import { queryOptions } from '@tanstack/react-query'
import type { contract } from '../../../contract/index.ts'
import type { Output } from '../../../contract/operation.ts'
import { api } from '../../client/api.ts'

export type Passkey = Output<typeof contract.listPasskeys>['items'][number]
export const passkeysQuery = queryOptions({ queryKey: ['passkeys'], queryFn: () => api.listPasskeys({}) })
