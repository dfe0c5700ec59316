import { lazyRouteComponent } from '../../../ui/pages.ts'

/** The record beside a list is as large as a page, and loads like one. The list's route loads it ahead. */
export const RecordPanel = lazyRouteComponent(() => import('./record-panel.tsx'), 'RecordPanel')
