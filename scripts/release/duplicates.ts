// Records that people merge, a merge that they undo, and values as people type them.
import type { At, Story, Team } from './story.ts'

export async function tidyUp({ work }: Story, at: At, { ada, grace }: Team) {
  await at('2026-05-09T09:00:00Z')
  const [kept, twin, other] = await ada.create(
    'people',
    { first_name: 'Paul', last_name: 'Pier', emails: ['paul@pier.example'] },
    {
      first_name: 'Paul',
      last_name: 'Pier',
      emails: ['pp@pier.example'],
      phones: ['040 1234567'],
      job_title: 'Skipper',
    },
    { first_name: 'Paula', last_name: 'Pier', emails: ['paula@pier.example'] },
  )
  await ada.create('notes', { body: 'Met at the fair', about: [twin] })
  await ada.post(`/records/people/${kept}/merge`, { merge: [twin] })
  const wrong = await ada.post(`/records/people/${kept}/merge`, { merge: [other], values: { city: 'Hamburg' } })
  await ada.post('/changes/undo', { change_set_ids: [wrong.change_set_id] })

  await at('2026-05-09T10:00:00Z')
  await grace.create('deals', { name: 'Typed as people do', amount: '512.50', expected_close: '+3d' })
  await ada.create('organizations', {
    name: 'Pier & Partner',
    domains: ['https://www.Pier.example/about'],
    phone: '040 7654321',
    annual_revenue: '2500000',
  })
  const { items } = await ada.get('/changes?by_key=true&limit=1')
  await ada.post('/changes/review', { change_set_ids: (items as { id: string }[]).map(({ id }) => id) })
  await work()
}
