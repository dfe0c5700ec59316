// The question before a large undo is drawn once, in the frame, so that it stays when the panel that asks closes.
import { createStore } from '../client/store.ts'
import type { Question } from './undo.tsx'

export const toUndo = createStore<Question | undefined>(undefined)

export const openUndo = (question: Question) => toUndo.set(question)
