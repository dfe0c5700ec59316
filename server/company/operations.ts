import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { company } from '../../contract/company.ts'
import type { Output } from '../../contract/operation.ts'
import { holdSchema } from '../engine/schema/schema.ts'
import type { Files } from '../files/queries.ts'
import { AppError } from '../kernel/app-error.ts'
import { actorOf, type Context, type Patch } from '../kernel/context.ts'
import { differences } from '../kernel/differences.ts'
import { type Handlers, prepared } from '../kernel/run.ts'
import { keepPicture, replacePicture } from '../pictures/queries.ts'
import { companyOf } from './queries.ts'

type Rates = { currency: string; rate: number }[]

export const companyOperations = ({ files }: { files: Files }): Handlers<typeof company> => ({
  async getCompany(context) {
    return companyOf(context.db, actorOf(context))
  },

  async updateCompany(context, { rates, ...wanted }) {
    const { company_id } = actorOf(context)
    await holdSchema(context.db, company_id)
    const before = await companyOf(context.db, { company_id })
    const fields = differences(before, wanted) ?? {}
    const currency = wanted.currency ?? before.currency
    const sorted = rates ? withoutRepeats(rates, currency) : ratesIn(currency, before)
    if (!isDeepStrictEqual(sorted, before.rates)) fields.rates = { from: before.rates, to: sorted }
    if (!Object.keys(fields).length) return before
    const changesSchema = ['currency', 'rates', 'time_zone', 'language', 'country', 'first_weekday'].some(
      (name) => name in fields,
    )
    await set(context, { ...wanted, ...(changesSchema && { schema_version: sql`schema_version + 1` }) })
    if (fields.rates) await setRates(context, sorted)
    if (fields.rates || fields.currency) context.emit('company.rates_changed', {})
    return noted(context, fields)
  },

  async getRetentionSettings(context) {
    return retentionOf(await companyOf(context.db, actorOf(context)))
  },

  async updateRetentionSettings(context, wanted) {
    const before = await companyOf(context.db, actorOf(context))
    const fields = differences(before, wanted)
    if (!fields) return retentionOf(before)
    await set(context, wanted)
    return retentionOf(await noted(context, fields))
  },

  updateCompanyLogo: prepared(
    company.updateCompanyLogo,
    (context, { image }) => keepPicture(files, context, image),
    async (context, _, kept) => {
      const { logo_id } = await companyOf(context.db, actorOf(context))
      const made = await replacePicture(files, context, logo_id, kept)
      await set(context, { logo_id: made })
      return noted(context, { logo_id: { from: logo_id, to: made } })
    },
  ),
})

const retentionOf = ({ audit_days, request_days, trash_days }: Output<typeof company.getCompany>) => ({
  audit_days,
  request_days,
  trash_days,
})

async function set(context: Context, values: object) {
  if (!Object.keys(values).length) return
  await context.db.updateTable('companies').set(values).where('id', '=', actorOf(context).company_id).execute()
}

async function setRates({ db, ...context }: Context, rates: Rates) {
  const { company_id } = actorOf(context)
  await db.deleteFrom('currency_rates').where('company_id', '=', company_id).execute()
  const rows = rates.map((rate) => ({ company_id, ...rate }))
  if (rows.length) await db.insertInto('currency_rates').values(rows).execute()
}

/** Converts the rates to another base currency. */
function ratesIn(currency: string, { currency: old, rates }: { currency: string; rates: Rates }) {
  if (currency === old || !rates.length) return rates
  const base = rates.find((rate) => rate.currency === currency)
  if (!base)
    throw new AppError(
      'invalid_input',
      `There is no rate between ${old} and ${currency}. Send the rates in ${currency}.`,
      {
        errors: [{ path: 'rates', message: `Send the rates in ${currency}. The current rates are in ${old}` }],
      },
    )
  const others = rates.filter((rate) => rate.currency !== currency)
  const converted = others.map((other) => ({ currency: other.currency, rate: rounded(other.rate / base.rate) }))
  return [...converted, { currency: old, rate: rounded(1 / base.rate) }].toSorted(byCurrency)
}
const rounded = (rate: number) => Number(rate.toPrecision(10))
const byCurrency = (a: { currency: string }, b: { currency: string }) => (a.currency < b.currency ? -1 : 1)

function withoutRepeats(rates: Rates, companyCurrency: string) {
  const seen = new Set([companyCurrency])
  for (const [index, { currency }] of rates.entries()) {
    if (!seen.has(currency)) seen.add(currency)
    else
      throw new AppError(
        'invalid_input',
        `${currency} appears twice or is the company's own currency. Remove this rate.`,
        {
          errors: [{ path: `rates.${index}.currency`, message: 'Add one rate for each other currency' }],
        },
      )
  }
  return rates.toSorted(byCurrency)
}

async function noted(context: Context, fields: Patch) {
  const { company_id } = actorOf(context)
  const after = await companyOf(context.db, { company_id })
  context.changed({ object: 'company', record_id: company_id, action: 'updated', fields })
  context.emit('company.updated', { name: after.name })
  context.audit('company.updated', { target_id: company_id, data: { fields: Object.keys(fields) } })
  return after
}
