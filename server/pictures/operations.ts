import type { pictures } from '../../contract/pictures.ts'
import { type Files, findFile, readFile } from '../files/queries.ts'
import { AppError } from '../kernel/app-error.ts'
import { actorOf, type Context } from '../kernel/context.ts'
import type { Handlers } from '../kernel/run.ts'

export const pictureOperations = ({ files }: { files: Files }): Handlers<typeof pictures> => ({
  async getPicture(context, { id }) {
    const { company_id } = actorOf(context)
    // Look in the database first: if the picture is moved in between, the file store has it.
    const old = await findOld(context, id)
    const file = old ? undefined : await findFile(context.db, company_id, id, 'picture')
    const content = old?.bytes ?? (file && (await readFile(files, file)))
    const type = old?.type ?? file?.type
    if (!content || !type) throw new AppError('not_found', 'Picture not found.')
    return { name: `picture.${type.split('/')[1]}`, type, content, isShown: true }
  },
})

/** A picture of an older version that is still in the database. */
const findOld = (context: Context, id: string) =>
  context.db
    .selectFrom('pictures')
    .select(['type', 'bytes'])
    .where('company_id', '=', actorOf(context).company_id)
    .where('id', '=', id)
    .executeTakeFirst()
