// How a company uses its inbox.
import type { inboxSettings as contract } from '../../../contract/inbox-settings.ts'
import type { Output } from '../../../contract/operation.ts'
import { actorOf } from '../../kernel/context.ts'
import type { Handlers } from '../../kernel/run.ts'
import type { Db } from '../../platform/db.ts'

export type InboxSettings = Output<typeof contract.getInboxSettings>

const usual: InboxSettings = { agents_may_send: true, retention_days: 30 }

export async function inboxSettingsOf(db: Db, company_id: string): Promise<InboxSettings> {
  const company = db.selectFrom('companies').select('inbox_settings').where('id', '=', company_id)
  const { inbox_settings } = await company.executeTakeFirstOrThrow()
  return { ...usual, ...(inbox_settings as Partial<InboxSettings>) }
}

export const settingsOperations: Handlers<typeof contract> = {
  getInboxSettings: (context) => inboxSettingsOf(context.db, actorOf(context).company_id),

  async updateInboxSettings(context, changes) {
    const { company_id } = actorOf(context)
    const settings = { ...(await inboxSettingsOf(context.db, company_id)), ...changes }
    await context.db
      .updateTable('companies')
      .set({ inbox_settings: JSON.stringify(settings) })
      .where('id', '=', company_id)
      .execute()
    context.audit('company.updated', { target_id: company_id, data: { inbox: changes } })
    return settings
  },
}
