// What the page is made of: the OpenAPI document, the caller's rights, and what the address names.
import { queryOptions } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ApiDocument } from '../../../contract/document/api-document.ts'
import type { Access, ObjectRights, RecordAccess } from '../../../contract/shared/access.ts'
import { pages } from '../../../contract/shared/pages.ts'
import { mayWithOne } from '../../../contract/shared/rights-on-one.ts'
import { notReached } from '../../client/api.ts'
import type { SignedIn } from '../../client/session.ts'
import type { ObjectShape } from '../../records/data/schema.ts'
import { grantWords } from '../../roles/grants.ts'

export const descriptionQuery = queryOptions({
  queryKey: ['openapi'],
  queryFn: async ({ signal }) => {
    const answer = await fetch('/api/v1/openapi.json', { signal }).catch(() => undefined)
    if (!answer?.ok) throw notReached()
    return (await answer.json()) as ApiDocument
  },
  staleTime: Number.POSITIVE_INFINITY,
})

export const route = getRouteApi(`/frame${pages.api}`)

/** Takes the focus when another operation is chosen, so that screen readers and phones start there. */
export const headingId = 'operation'

export type Right = { isAllowed: boolean; words: string }

const verbs = { read: 'read', create: 'create', edit: 'edit', delete: 'delete' } as const

/** Whether the caller may call an operation, in words; for one on records, with the object that is chosen. */
export function rightTo(access: Access, me: SignedIn['me'], object?: ObjectShape): Right {
  if (access === 'public') return { isAllowed: true, words: 'No API key required.' }
  if (access === 'member') return { isAllowed: true, words: 'Every user can call this.' }
  if (access === 'admin')
    return {
      isAllowed: me.is_admin,
      words: me.is_admin ? 'You can call this as an Admin.' : 'Only Admins can call this.',
    }
  const right = access.slice('records.'.length) as keyof ObjectRights
  if (!(right in verbs)) {
    const { label } = grantWords[access as keyof typeof grantWords]
    const isAllowed = me.is_admin || me.grants.includes(access as keyof typeof grantWords)
    return {
      isAllowed,
      words: isAllowed ? `Your role has the permission “${label}”.` : `Requires the permission “${label}”.`,
    }
  }
  return object ? rightOn(object, right) : anyRight(me, access as RecordAccess)
}

function rightOn({ label_plural, rights }: ObjectShape, right: keyof ObjectRights): Right {
  const reach = rights[right]
  if (reach === 'none' || reach === false)
    return { isAllowed: false, words: `Your role cannot ${verbs[right]} ${label_plural}.` }
  if (reach === 'own') return { isAllowed: true, words: `Your role can ${verbs[right]} your own ${label_plural}.` }
  return { isAllowed: true, words: `Your role can ${verbs[right]} ${right === 'create' ? '' : 'all '}${label_plural}.` }
}

function anyRight({ records }: SignedIn['me'], access: RecordAccess): Right {
  const isAllowed = mayWithOne(records, [access])
  return { isAllowed, words: isAllowed ? 'Your role can call this.' : 'Your role cannot call this for any object.' }
}
