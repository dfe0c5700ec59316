import type { Team } from './story.ts'

/** Shared and private views, whose filters and sorts must still work after an upgrade. */
export async function saveViews({ ada, grace }: Team) {
  await ada.post('/views', {
    object: 'people',
    name: 'German accounts',
    is_shared: true,
    filter: 'organization.country in ("Germany", "Austria") and not status = customer',
    sort: ['-score', 'last_name'],
    columns: [{ key: 'title', width: 240, pinned: true }, { key: 'organization.name' }, { key: 'score' }],
  })
  await ada.post('/views', {
    object: 'deals',
    name: 'Open',
    filter: 'stage in (proposal, qualified)',
    layout: 'compact',
  })
  await grace.post('/views', { object: 'projects', name: 'Mine', filter: 'a_user = me', sort: ['a_date'] })
}
