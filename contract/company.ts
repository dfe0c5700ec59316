import * as z from 'zod'
import { operation } from './operation.ts'
import { id, moment, nameOf, nothing } from './shapes.ts'

export const companyName = nameOf('Enter the name of your company')

export const Company = z.strictObject({ id, name: z.string(), created_at: moment }).meta({ id: 'Company' })

export const company = {
  getCompany: operation({
    summary: 'Read the company',
    http: 'GET /company',
    access: 'member',
    effect: 'read',
    input: nothing,
    output: Company,
  }),
  updateCompany: operation({
    summary: 'Change the company',
    http: 'PATCH /company',
    access: 'company.manage',
    effect: 'change',
    input: z.strictObject({ name: companyName.optional() }),
    output: Company,
  }),
}
