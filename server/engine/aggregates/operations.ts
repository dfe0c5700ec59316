import type { aggregates } from '../../../contract/aggregates.ts'
import type { Handlers } from '../../kernel/run.ts'
import { answered } from './groups.ts'
import { readQuestion } from './question.ts'

export const aggregateOperations: Handlers<typeof aggregates> = {
  aggregateRecords: {
    isHeavy: () => true,
    ifSlow: 'Narrow the filter, measure less, or group by fewer fields.',
    async handle(context, input) {
      const { asking, question } = await readQuestion(context, input)
      // Agents ask for them where they need one, because they are half of an answer.
      const hasFilters = input.filters ?? context.door !== 'mcp'
      return answered(asking, { ...question, isByPair: question.dimensions.length > 1, hasFilters })
    },
  },
}
