import * as z from 'zod'
import { objectKey } from './objects.ts'
import { operation } from './operation.ts'
import { id, nothing } from './shared/shapes.ts'

/** What a user sees in the navigation of the web app, and in which order. */
export const Navigation = z
  .strictObject({
    objects: z.array(objectKey).max(100).describe("Objects in your order; the rest follow in the company's order"),
    hidden: z
      .array(z.string().regex(/^[a-z][a-z0-9_-]{0,62}$/))
      .max(200)
      .describe('Keys of hidden objects and areas, e.g. notes or jobs'),
    pinned_views: z.array(id).max(50, 'Pin at most 50 views').describe('Views shown below their object, in order'),
  })
  .meta({ id: 'Navigation' })
export type Navigation = z.output<typeof Navigation>

export const navigation = {
  getNavigation: operation({
    summary: 'Get your navigation',
    http: 'GET /me/navigation',
    access: 'member',
    effect: 'read',
    input: nothing,
    output: Navigation,
  }),
  updateNavigation: operation({
    summary: 'Update the order, hidden entries and pinned views of your navigation',
    http: 'PATCH /me/navigation',
    access: 'member',
    effect: 'change',
    input: Navigation.partial(),
    output: Navigation,
  }),
}
