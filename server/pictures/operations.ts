import type { pictures } from '../../contract/pictures.ts'
import { AppError } from '../kernel/app-error.ts'
import { actorOf } from '../kernel/context.ts'
import type { Handlers } from '../kernel/run.ts'

export const pictureOperations: Handlers<typeof pictures> = {
  async getPicture(context, { id }) {
    const picture = await context.db
      .selectFrom('pictures')
      .select(['type', 'bytes'])
      .where('company_id', '=', actorOf(context).company_id)
      .where('id', '=', id)
      .executeTakeFirst()
    if (!picture) throw new AppError('not_found', 'Picture not found.')
    return { name: `picture.${picture.type.split('/')[1]}`, type: picture.type, content: picture.bytes }
  },
}
