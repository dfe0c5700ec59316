import * as z from 'zod'
import { fileAnswer, operation } from './operation.ts'
import { id } from './shared/shapes.ts'

export const pictures = {
  getPicture: operation({
    summary: "Get a user's picture or the company logo",
    http: 'GET /pictures/:id',
    access: 'member',
    effect: 'read',
    file: 'image/*',
    input: z.strictObject({ id }),
    output: fileAnswer,
  }),
}
