// What of a record is compared to find its duplicates, and how. Fields that companies add count by their type.
import { getDomain } from 'tldts'
import { type ComparedAs, comparedAs } from '../../../contract/built-in/compared.ts'
import { asFilterField } from '../../../contract/filter/index.ts'
import { domainIn } from '../../../contract/shared/domains.ts'
import { own } from '../../../contract/shared/own.ts'
import type { Field, ObjectSchema } from '../schema/schema.ts'
import { builtInValue } from '../values/built-in-values.ts'
import type { Values } from '../values/from-row.ts'
import { titleOf } from '../values/title.ts'
import { type Comparison, compareCompanies, compareDeals, comparePeople, type Facts } from './compare.ts'
import { freeMail } from './free-mail.ts'
import { companyWords, keyOfWords } from './names.ts'

/** How records of this object are compared; undefined if they are not. */
export const kindOf = ({ built_in_key }: Pick<ObjectSchema, 'built_in_key'>) => comparedAs(built_in_key)

const compareBy: Record<ComparedAs, (a: Facts, b: Facts) => Comparison> = {
  people: comparePeople,
  companies: compareCompanies,
  deals: compareDeals,
}
export const compare = (kind: ComparedAs, a: Facts, b: Facts) => compareBy[kind](a, b)

const mostOfEach = 20
const longestText = 200

/** `isStored`: of archived fields as well, whose values come back when the field is restored. */
export function factsOf(object: ObjectSchema, values: Values, isStored = false): Facts {
  const fields = isStored ? [...object.fields, ...object.archivedFields] : object.fields
  const textsOf = (isWanted: (field: Field) => boolean) =>
    fields
      .filter(isWanted)
      .flatMap(({ key }) => [own(values, key) ?? []].flat())
      .filter((value) => typeof value === 'string')
      .slice(0, mostOfEach)
  const builtIn = (key: string) => {
    const value = builtInValue(object, values, key)
    return typeof value === 'string' && value ? value : undefined
  }
  const emails = textsOf(({ type }) => type === 'email').map((email) => email.toLowerCase())
  const websites = textsOf((field) => asFilterField(field).domain === true || field.built_in_key === 'website')
  const hosts = [...websites.map((text) => domainIn(text)), ...emails.map((email) => email.split('@').at(-1))]
  const domains = hosts.flatMap((host) => (host && ownDomain(host)) ?? [])
  const company = builtIn('company_name')
  return {
    name: titleOf(object, values) === titleOf(object, {}) ? '' : titleOf(object, values),
    emails: [...new Set(emails)],
    phones: [...new Set(textsOf(({ type }) => type === 'phone'))],
    domains: [...new Set(domains)],
    organization: builtIn('organization') ?? (company && keyOfWords(companyWords(company.slice(0, longestText)))),
    birthday: builtIn('birthday'),
    city: builtIn('city')?.trim().toLowerCase(),
  }
}

/** acme.co.uk of shop.acme.co.uk; none of a mail host that anyone can use. */
export function ownDomain(host: string) {
  const domain = getDomain(host, { allowPrivateDomains: true })
  return domain && !freeMail.has(domain) ? domain : undefined
}
