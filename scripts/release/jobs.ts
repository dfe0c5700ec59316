// Work in the background: an import with mistakes, an export, changes of many records, and their undo.
import type { At, Story, Team } from './story.ts'

export async function workInBulk({ work }: Story, at: At, { ada, script }: Team) {
  await at('2026-05-05T10:00:00Z')
  const file = await ada.upload('/files?purpose=import&name=members.csv', members)
  const mapping = { Club: { field: 'organization', if_missing: 'create' }, Fax: null }
  const settings = { file_id: file.id, mapping, mode: 'upsert', match_by: 'emails' }
  const trial = await ada.post('/records/people/import', { ...settings, dry_run: true })
  await work()
  await ada.post('/records/people/import', { check_id: trial.job_id })
  await work()
  await at('2026-05-05T11:00:00Z')
  await ada.post('/records/people/export', { filter: 'emails ~ "club.example"', fields: ['title', 'emails'] })
  const change = await script.post('/records/people/bulk-update', {
    filter: 'organization = "Segelclub"',
    values: { city: 'Kiel', country: 'DE' },
  })
  await work()
  const job = await script.get(`/jobs/${change.job_id}`)
  await script.post('/changes/undo', { change_set_ids: [job.change_set_id] })
  const [first, second] = await ada.create('people', { last_name: 'Doe', first_name: 'Jo' }, { last_name: 'Test' })
  await script.post('/records/people/bulk-deletion', { ids: [first, second] })
  await work()
  const cancelled = await ada.post('/records/people/export', {})
  await ada.post(`/jobs/${cancelled.job_id}/cancellation`)
  await ada.upload('/files?purpose=message&name=price-list.txt', 'Hull check 60 EUR\n')
}

const members = `First name,Last name,E-mail,Club,Birthday,Fax
Jana,Kühn,jana@club.example,Segelclub,1990-05-17,1
Milo,Šimek,milo@club.example,Segelclub,soon,2
Rosa,"Berg, jr.",rosa@club.example,Segelclub,1988-12-01,3
Maria,Müller,maria@example.com,,,4
Nobody,,not an address,,,5
`
