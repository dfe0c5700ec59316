import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { contract } from '../../../../contract/index.ts'
import type { Output } from '../../../../contract/operation.ts'
import { timelineKinds } from '../../../../contract/timeline.ts'
import { api } from '../../../client/api.ts'
import { pagesOf } from '../../../client/pages.ts'
import { timelineKey } from '../../../records/data/record-cache.ts'

export type TimelineItem = Output<typeof contract.getTimeline>['items'][number]
export type NextStep = Output<typeof contract.getTimeline>['next_steps'][number]
export type TimelineKind = (typeof timelineKinds)[number]
/** A note, an activity or a completed task. */
export type RecordItem = Extract<TimelineItem, { record: unknown }>

export const readKind = (given: unknown) => timelineKinds.find((kind) => kind === given)

/** What happened with a record, newest first; every change of any record asks again. */
export const useTimeline = (object: string, id: string, only?: TimelineKind) =>
  useInfiniteQuery({
    ...pagesOf([...timelineKey, object, id, only], (cursor, signal) =>
      api.getTimeline({ object, id, kinds: only && [only], limit: 30, cursor }, { signal }),
    ),
    placeholderData: keepPreviousData,
  })
