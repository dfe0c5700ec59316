// Long-running work as the web app reads it. Every key begins with ['jobs'].
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { contract } from '../../contract/index.ts'
import type { Input, Output } from '../../contract/operation.ts'
import { api } from './api.ts'
import { pagesOf } from './pages.ts'
import { queryClient } from './queries.ts'

export type Job = Output<typeof contract.listJobs>['items'][number]
export type JobDetails = Output<typeof contract.getJob>
export type JobFilter = Omit<Input<typeof contract.listJobs>, 'limit' | 'cursor'>

export const isActive = ({ state }: Pick<Job, 'state'>) => state === 'waiting' || state === 'running'

/** Live updates announce progress; asking as well covers the time without them. */
const pollMs = 2000
const pollWhile = (isRunning: boolean | undefined) => (isRunning ? pollMs : false)

const myJobsKey = ['jobs', 'mine']
export const myJobsQuery = (me: string) =>
  queryOptions({
    queryKey: myJobsKey,
    queryFn: async () => (await api.listJobs({ created_by: me, limit: 20 })).items,
    refetchInterval: ({ state }) => pollWhile(state.data?.some(isActive)),
  })

export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: ['jobs', 'one', id],
    queryFn: () => api.getJob({ id }),
    refetchInterval: ({ state }) => pollWhile(state.data && isActive(state.data)),
  })

export const jobPagesQuery = (filter: JobFilter) => ({
  ...pagesOf(['jobs', 'list', filter], (cursor) => api.listJobs({ ...filter, limit: 30, cursor })),
  placeholderData: keepPreviousData,
})

export const jobsChanged = () => queryClient.invalidateQueries({ queryKey: ['jobs'] })

/** Everyone in the company hears of every job. Only pages that show it ask for it. */
export function heardOfJob({ id, user_id }: Record<string, unknown>, me: string | undefined) {
  const mine = queryClient.getQueryData<Job[]>(myJobsKey) ?? []
  if (user_id === me || mine.some((job) => job.id === id)) void queryClient.invalidateQueries({ queryKey: myJobsKey })
  for (const key of ['list', 'one']) void queryClient.invalidateQueries({ queryKey: ['jobs', key] })
}

const followed = new Set<string>()

/** A notice reports the result of this job, on any page. */
export const followJob = (id: string) => void followed.add(id)

/** For a job that was started just now: shows it in the frame. */
export function jobStarted(id: string) {
  followJob(id)
  void jobsChanged()
}

/** True once for each followed job. */
export const stopFollowing = (id: string) => followed.delete(id)

const watched = new Set<string>()
/** While a page shows the job itself, no notice about it is needed. Returns a function that ends that. */
export function watchJob(id: string) {
  watched.add(id)
  return () => void watched.delete(id)
}
export const isWatched = (id: string) => watched.has(id)
