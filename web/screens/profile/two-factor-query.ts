import { queryOptions } from '@tanstack/react-query'
import { api } from '../../client/api.ts'

export const twoFactorQuery = queryOptions({ queryKey: ['two-factor'], queryFn: () => api.getTwoFactor({}) })
export type TwoFactorTask = 'turn on' | 'new codes' | 'turn off'
