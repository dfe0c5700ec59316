// Repeating tasks, reminders, and notes in which people mention each other.
import type { At, Story, Team } from './story.ts'

export async function planWork({ work }: Story, at: At, { ada, grace, ids }: Team) {
  await at('2026-05-01T16:00:00Z')
  const { records } = await grace.post('/records/deals/query', { filter: 'name = "Service contract"' })
  const [deal] = records as { id: string }[]
  const [report] = await grace.create(
    'tasks',
    {
      title: 'Weekly report',
      due_at: '2026-05-04T07:00:00Z',
      remind_at: '2026-05-04T06:30:00Z',
      repeats: 'weekly',
    },
    { title: 'Ask for feedback', due_at: '2026-06-05T10:00:00Z', remind_at: '2026-06-05T09:00:00Z', about: [deal!.id] },
    { title: 'Water the plants', repeats: 'every_weekday', due_at: 'tomorrow', assignee: ids.ada },
  )
  const [note] = await ada.create('notes', {
    body: `[@Grace Hopper](mention:${ids.grace}) can you offer **two years**?`,
    about: [deal!.id],
  })
  await grace.create('notes', {
    body: `Yes, [@Ada Lovelace](mention:${ids.ada}): see [the list](https://acme.example)`,
    reply_to: note,
  })
  await at('2026-05-04T06:35:00Z')
  await work()
  await at('2026-05-04T12:00:00Z')
  await grace.update('tasks', { id: report!, values: { status: 'done' } })
}
