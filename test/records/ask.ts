// A company of its own, asked filters as text or JSON over the API.
import type { Api, TestApp } from '../app.ts'

export async function companyToAsk({ given, withKey }: TestApp, settings: Parameters<Api['updateCompany']>[0] = {}) {
  const admin = await given.company()
  const api = withKey(await given.key(admin))
  await api.updateCompany({ time_zone: 'Europe/Berlin', ...settings })
  const add = async (object: string, ...records: Record<string, unknown>[]) =>
    (await api.createRecords({ object, records })).records
  const find = async (object: string, filter: string | object) => {
    const { records } = await api.queryRecords({ object, filter: filter as never, limit: 100 })
    return records.map((record) => record.title).toSorted()
  }
  /** What the filter is refused with. */
  const fault = (object: string, filter: string | object) =>
    api.queryRecords({ object, filter: filter as never }).then(
      () => 'taken',
      (error) => error.problem,
    )
  return { admin, api, add, find, fault }
}
