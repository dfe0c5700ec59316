// Writes records with earlier dates through the engine, so that they get a realistic history.
import { randomUUID } from 'node:crypto'
import { readSchema } from '../engine/schema/schema.ts'
import type { Target } from '../engine/schema/target.ts'
import type { Shown } from '../engine/values/from-row.ts'
import { createRecords } from '../engine/write/create.ts'
import { updateRecords } from '../engine/write/update.ts'
import { contextOf } from '../kernel/act-as.ts'
import type { Caller } from '../kernel/context.ts'
import { convertLead } from '../leads/convert.ts'
import { dayMs } from '../platform/times.ts'
import type { Random } from './random.ts'
import type { Converted, Entry, Recorder, Room, Writer } from './story.ts'
import { idAt, workingTime } from './times.ts'

/** Writes the oldest entry first. The order depends only on the seed, even where a weekend moves an entry. */
export async function writeDiary(room: Room, entries: Entry[]) {
  const { db, now } = room
  const schema = await readSchema(db, room.company_id)
  const random = room.random.fork('diary')
  const last = new Map<string, number>()
  const next = ({ actor: { kind } }: Writer, earliest = 0) => {
    const at = Math.max(earliest, (last.get(kind) ?? 0) + random.int(20, 90) * 1000)
    last.set(kind, at)
    return new Date(at)
  }

  for (const { daysAgo, by, write } of entries.toSorted((a, b) => b.daysAgo - a.daysAgo)) {
    const caller: Caller = { ...by, request_id: randomUUID(), ip: '', web: null }
    const noted = async (operation: string, object: string, act: (target: Target) => Promise<unknown>) => {
      const notes = { id: idAt(recorder.at) }
      const { context, write } = contextOf(db, caller, { task: operation, now: recorder.at, notes })
      await act({ context, schema, object: schema.objects.get(object)! })
      await write()
      recorder.at = next(by)
    }
    const recorder: Recorder = {
      at: next(by, Math.max(timeOf(random, now, daysAgo, by), by.since.getTime() + 60_000)),
      async create(object, records) {
        let created: Shown[] = []
        await noted('createRecords', object, async (target) => {
          created = (await createRecords(target, records, false)).records
        })
        return created
      },
      async convert({ id }, values) {
        let made: Converted = { person: null, organization: null }
        await noted('convertLead', 'leads', async ({ context }) => {
          const input = { id, person: true, organization: true, deal: { values }, dry_run: false }
          made = await convertLead(context, input)
        })
        return made
      },
      update: (object, records, values) =>
        noted('updateRecords', object, (target) => {
          const updates = records.map(({ id }, i) => ({ id, values: values(i), path: `records.${i}` }))
          return updateRecords(target, updates, false)
        }),
    }
    await write(recorder)
  }
}

/** People work in office hours, agents at any time. */
function timeOf(random: Random, now: Date, daysAgo: number, { actor }: Writer) {
  if (actor.kind !== 'agent') return workingTime(random, now, daysAgo).getTime()
  return now.getTime() - (daysAgo - random.next() * 0.8) * dayMs
}
