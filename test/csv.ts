// Exports and imports as a test uses them.
import { parse } from 'csv-parse/sync'
import { expect } from 'vitest'
import type { Api, TestApp } from './app.ts'
import { soon } from './worker.ts'

/** Fails if the job makes no progress for as long as a step may take. */
export async function finished(api: Api, id: string) {
  for (let last = await api.getJob({ id }); ; ) {
    if (['done', 'failed', 'cancelled', 'undone'].includes(last.state)) return last
    const { state, done } = last
    last = await soon(async () => {
      const job = await api.getJob({ id })
      expect({ state: job.state, done: job.done }).not.toEqual({ state, done })
      return job
    })
  }
}

export async function download(kith: TestApp, key: string, path: string) {
  const answer = await kith.send(`/api/v1${path}`, { headers: { 'x-api-key': key } })
  const bytes = new Uint8Array(await answer.arrayBuffer())
  return {
    status: answer.status,
    headers: answer.headers,
    bytes,
    text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes),
  }
}

/** The text of an export, with the mark at its start. */
export async function exported(kith: TestApp, key: string, input: Parameters<Api['exportRecords']>[0]) {
  const api = kith.withKey(key)
  const { job_id } = await api.exportRecords(input)
  const job = await finished(api, job_id)
  expect(job.state, String(job.message)).toBe('done')
  return { job, ...(await download(kith, key, `/files/${job.result!.file_id}/content`)) }
}

export const table = (text: string, delimiter = ','): string[][] => parse(text, { bom: true, delimiter })

export async function imported(api: Api, input: Parameters<Api['importRecords']>[0]) {
  const started = await api.importRecords(input)
  return { ...started, job: await finished(api, started.job_id) }
}

export const uploaded = async (api: Api, content: string | Uint8Array, name = 'people.csv') =>
  (await api.uploadFile({ purpose: 'import', name, file: new Blob([content as BlobPart]) })).id

/** These values of the people, oldest first. */
export const peopleIn = async (api: Api, fields: string[], filter?: string) => {
  const { records } = await api.queryRecords({
    object: 'people',
    limit: 100,
    sort: ['created_at'],
    ...(filter && { filter }),
  })
  return records.map((record) => fields.map((field) => record[field] ?? null))
}
