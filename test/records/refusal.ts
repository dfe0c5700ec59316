// How a call was refused, in a form that can be compared.
import { ApiError } from '../../web/api.ts'

export const statusOf = (call: Promise<unknown>) =>
  call.then(
    () => 200,
    (error) => (error instanceof ApiError ? error.problem.status : Promise.reject(error)),
  )

const id = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
/** The answer or the refusal as text, without what differs from call to call. */
export const refusal = (call: Promise<unknown>) =>
  call.then(
    (answer) => JSON.stringify(answer),
    (error) => {
      if (!(error instanceof ApiError)) throw error
      const { request_id: _, ...problem } = error.problem
      return JSON.stringify(problem).replaceAll(id, 'ID')
    },
  )
