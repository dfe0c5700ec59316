import type { pictures } from '../../contract/pictures.ts'
import { AppError } from '../kernel/app-error.ts'
import { actorOf } from '../kernel/context.ts'
import type { Handlers } from '../kernel/run.ts'

export const pictureOperations: Handlers<typeof pictures> = {
  async getPicture(context, { id }) {
    const found = await context.db
      .selectFrom('pictures')
      .select(['type', 'bytes'])
      .where('company_id', '=', actorOf(context).company_id)
      .where('id', '=', id)
      .executeTakeFirst()
    if (!found) throw new AppError('not_found', 'There is no such picture.')
    return { name: `picture.${found.type.split('/')[1]}`, type: found.type, content: found.bytes }
  },
}
