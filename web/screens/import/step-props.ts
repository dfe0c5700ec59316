import type { ObjectShape } from '../../records/schema.ts'
import type { Choices, Preview } from './choices.ts'

/** What every step gets that knows the columns of the file. */
export type StepProps = {
  object: ObjectShape
  file: string
  name: string
  preview: Preview
  choices: Choices
  choose: (patch: Partial<Choices>) => void
}
