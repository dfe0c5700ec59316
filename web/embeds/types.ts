// What the scripts for websites are checked with. They are served as they are written, so nothing is imported there.

import type * as z from 'zod'
import type { ChatMessage, ChatState, OpenedChat } from '../../contract/chat.ts'
import type {
  Challenge as ChallengeShape,
  PublicForm,
  PublicFormField,
  SubmissionAnswer,
} from '../../contract/lead-forms.ts'

// biome-ignore lint/suspicious/noExplicitAny: the texts differ by language, and each is a string
type Texts = any
type WithTexts<Shape> = Omit<Shape, 'texts'> & { texts: Texts }

export type Form = WithTexts<z.infer<typeof PublicForm>>
export type Field = z.infer<typeof PublicFormField>
export type Challenge = z.infer<typeof ChallengeShape>
export type Answer = z.infer<typeof SubmissionAnswer>
export type State = z.infer<typeof ChatState>
export type Message = z.infer<typeof ChatMessage>
export type Opened = WithTexts<z.infer<typeof OpenedChat>>
/** `status`: of the answer. None: the server was not reached. */
export type Refused = Error & { status?: number; wait?: number; words?: string }
export type Waiting = { client_id: string; text: string; page: string; extra: string; email?: string; work?: string }
export type Kept = {
  open?: boolean
  visitor?: string
  proved?: boolean
  seen?: string
  queue: Waiting[]
}

declare global {
  /** proof-of-work.js, which is put into the others. */
  function solve(challenge: Challenge): Promise<string>
}
