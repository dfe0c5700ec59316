import * as z from 'zod'
import { fileAnswer, operation } from './operation.ts'
import { id } from './shapes.ts'

export const pictures = {
  getPicture: operation({
    summary: 'A picture of a user or the logo of the company',
    http: 'GET /pictures/:id',
    access: 'member',
    effect: 'read',
    file: 'image/*',
    input: z.strictObject({ id }),
    output: fileAnswer,
  }),
}
