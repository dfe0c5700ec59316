import { comparedAs } from '../../../contract/built-in/compared.ts'
import type { merges } from '../../../contract/merges.ts'
import { inSentence } from '../../../contract/shared/in-sentence.ts'
import { refused } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import type { Handlers } from '../../kernel/run.ts'
import { schemaOf } from '../schema/schema.ts'

export const duplicateSettings: Handlers<Pick<typeof merges, 'getDuplicateSettings' | 'updateDuplicateSettings'>> = {
  getDuplicateSettings: readSettings,

  async updateDuplicateSettings(context, { merge_certain: wanted }) {
    const before = await readSettings(context)
    const merge_certain = [...new Set(wanted ?? before.merge_certain)].sort()
    if (merge_certain.join() === before.merge_certain.join()) return before
    const { objects } = await schemaOf(context.db, actorOf(context))
    for (const [i, key] of wanted!.entries()) {
      const object = objects.get(key)
      if (!object) throw refused(`merge_certain.${i}`, `There is no object ${key}`)
      if (!comparedAs(object.built_in_key))
        throw refused(
          `merge_certain.${i}`,
          `Kith does not look for duplicates among ${inSentence(object.label_plural)}`,
        )
    }
    const companies = context.db.updateTable('companies').set({ merge_certain })
    await companies.where('id', '=', actorOf(context).company_id).execute()
    context.audit('duplicate_settings.updated', { data: { merge_certain } })
    context.emit('duplicate_settings.updated', {})
    return { merge_certain }
  },
}

async function readSettings({ db, ...context }: Context) {
  const companies = db.selectFrom('companies').select('merge_certain').where('id', '=', actorOf(context).company_id)
  const { merge_certain } = await companies.executeTakeFirstOrThrow()
  return { merge_certain: merge_certain.toSorted() }
}
