// The templates of WhatsApp that Meta approved.
import { AppError } from '../../kernel/app-error.ts'
import type { PublicFetch } from '../../platform/public-fetch.ts'
import { call, textAt } from '../gateway/call-provider.ts'
import { orPostAgain } from '../gateway/receive-post.ts'
import type { WhatsAppNumber } from './number.ts'

export async function readTemplates(fetch: PublicFetch, { base, business_account_id, access_token }: WhatsAppNumber) {
  const url = `${base}/${business_account_id}/message_templates?limit=200&fields=name,language,status,components`
  const headers = { authorization: `Bearer ${access_token}` }
  const { status, json } = await orPostAgain(() => call(fetch, url, { headers }))
  if (status !== 200)
    throw new AppError('unavailable', `WhatsApp: ${textAt(json, 'error', 'message') ?? `responded with ${status}`}`, {
      retryAfter: 10,
    })
  return ((json.data as unknown[] | undefined) ?? []).map(templateOf)
}

function templateOf(value: unknown) {
  const components = (value as { components?: { type?: string; text?: string }[] }).components ?? []
  const text = components.find(({ type }) => type === 'BODY')?.text ?? ''
  const numbers = [...text.matchAll(/\{\{\s*(\d+)\s*\}\}/g)].map(([, number]) => Number(number))
  return {
    name: textAt(value, 'name') ?? '',
    language: textAt(value, 'language') ?? '',
    state: textAt(value, 'status') ?? '',
    text,
    variables: Math.max(0, ...numbers),
  }
}
