import { sql } from 'kysely'
import type { Navigation, navigation } from '../../../contract/navigation.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import type { Handlers } from '../../kernel/run.ts'

export const navigationOperations: Handlers<typeof navigation> = {
  getNavigation: (context) => navigationOf(context),

  /** Only what is given changes, so that two tabs do not undo each other. A preference: not in the history. */
  async updateNavigation(context, input) {
    const { company_id, user_id } = actorOf(context)
    await sql`update users set navigation = navigation || ${JSON.stringify(input)}::jsonb
      where company_id = ${company_id} and id = ${user_id}`.execute(context.db)
    return navigationOf(context)
  },
}

async function navigationOf(context: Context): Promise<Navigation> {
  const { company_id, user_id } = actorOf(context)
  const { navigation, lines } = await context.db
    .selectFrom('users')
    .select((eb) => [
      'navigation',
      eb
        .selectFrom('objects')
        .select('key')
        .where('company_id', '=', company_id)
        .where('built_in_key', '=', 'deal_lines')
        .as('lines'),
    ])
    .where('company_id', '=', company_id)
    .where('id', '=', user_id)
    .executeTakeFirstOrThrow()
  // Line items are opened from their deal. Users can add the list to their sidebar.
  const hidden = lines ? [lines] : []
  return { objects: [], hidden, pinned_views: [], ...(navigation as Partial<Navigation>) }
}
