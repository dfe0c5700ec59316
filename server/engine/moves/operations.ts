import type { moves as contract } from '../../../contract/moves.ts'
import type { Handlers } from '../../kernel/run.ts'
import type { Reading } from '../csv/sources.ts'
import { planMove } from './plan.ts'
import { startMove } from './start.ts'

export const moveOperations = (reading: Reading): Handlers<typeof contract> => ({
  planMove: planMove(reading),
  startMove: startMove(reading),
})
