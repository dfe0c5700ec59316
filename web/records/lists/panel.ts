import { lazyRouteComponent } from '../../ui/basics/lazy-pages.ts'

/** The record beside a list is as large as a page, and loads like one. The list's route loads it ahead. */
export const RecordPanel = lazyRouteComponent(() => import('../../screens/record/record-panel.tsx'), 'RecordPanel')
