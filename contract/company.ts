import * as z from 'zod'
import { type Weekday, weekdays } from './filter/moments.ts'
import { operation } from './operation.ts'
import { isCountry } from './regions/countries.ts'
import { currency, id, image, language, moment, nameOf, nothing, timeZone } from './shared/shapes.ts'

export const companyName = nameOf('Enter the name of your company')

export const country = z.string().trim().toUpperCase().refine(isCountry, 'Use a country code such as DE or US')
const first_weekday = z.enum(Object.keys(weekdays) as Weekday[])

export const Rate = z.strictObject({
  currency,
  rate: z.number().positive('Use a rate above 0').max(1e12).describe("Value of one unit in the company's currency"),
})

const RetentionSettings = z.strictObject({
  audit_days: z.int().min(90).max(36_500).nullable().describe('Days to keep the audit log; null: forever'),
  request_days: z.int().min(1).max(90).describe('Days to keep the request log'),
  trash_days: z.int().min(1).max(365).describe('Days during which deleted records can be restored'),
})

export const Company = z
  .strictObject({
    id,
    name: z.string(),
    created_at: moment,
    logo_id: id.nullable().describe('Download it from /pictures/{id}'),
    currency: z.string(),
    rates: z.array(Rate),
    time_zone: z.string(),
    language: z.string(),
    country: z
      .string()
      .nullable()
      .describe('Country for phone numbers without a country code; null: derived from the language'),
    first_weekday,
    ...RetentionSettings.shape,
  })
  .meta({ id: 'Company' })

export const company = {
  getCompany: operation({
    summary: 'Get company settings',
    http: 'GET /company',
    access: 'member',
    effect: 'read',
    input: nothing,
    output: Company,
  }),
  updateCompany: operation({
    summary: 'Update company settings',
    http: 'PATCH /company',
    access: 'company.manage',
    effect: 'change',
    input: z.strictObject({
      name: companyName.optional(),
      currency: currency.optional(),
      rates: z.array(Rate).max(200).optional().describe('All rates; omitted ones are deleted'),
      time_zone: timeZone.optional(),
      language: language.optional(),
      country: country.nullable().optional().describe('Country code, e.g. DE; null: derived from the language'),
      first_weekday: first_weekday.optional(),
    }),
    output: Company,
  }),
  getRetentionSettings: operation({
    summary: 'Get the retention periods for deleted records, the audit log and requests',
    http: 'GET /settings/retention',
    access: 'member',
    effect: 'read',
    input: nothing,
    output: RetentionSettings,
  }),
  // A shorter period permanently deletes data, which only Admins may do.
  updateRetentionSettings: operation({
    summary: 'Update the retention periods for deleted records, the audit log and requests',
    http: 'PATCH /settings/retention',
    replaces: [{ name: 'setRetention', http: 'PATCH /company/retention' }],
    access: 'admin',
    effect: 'change',
    input: RetentionSettings.partial(),
    output: RetentionSettings,
  }),
  updateCompanyLogo: operation({
    summary: 'Set or remove the company logo',
    http: 'PUT /company/logo',
    replaces: [{ name: 'setCompanyLogo' }],
    largeBody: true,
    access: 'company.manage',
    effect: 'change',
    input: z.strictObject({ image: image.nullable() }),
    output: Company,
  }),
}
