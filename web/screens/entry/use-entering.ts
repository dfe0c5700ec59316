import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import type { contract } from '../../../contract/index.ts'
import type { Output } from '../../../contract/operation.ts'
import { pages } from '../../../contract/pages.ts'
import { sessionQuery } from '../../client/session.ts'

type Answer = Output<typeof contract.signIn>

/** What follows a right password: into the app, or to the second step, whose token lives here alone. */
export function useEntering(next: string = pages.dashboard) {
  const client = useQueryClient()
  const router = useRouter()
  const [stepToken, setStepToken] = useState<string>()
  const enter = (answer: Answer) => {
    if (answer.state === 'second_step') return setStepToken(answer.step_token)
    // Nothing that an earlier person of this browser loaded may be seen by the next one.
    client.removeQueries({ type: 'inactive' })
    client.setQueryData(sessionQuery.queryKey, answer)
    return router.navigate({ href: next, replace: true })
  }
  return { stepToken, enter, startOver: () => setStepToken(undefined) }
}
