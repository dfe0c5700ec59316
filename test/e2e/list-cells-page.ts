// What the tests of cells share.
import type { Api } from '../app.ts'

export const columns = 'columns=!title,job_title,city,status'
export const citiesOf = async (api: Api) =>
  (await api.listRecords({ object: 'people', sort: ['-title'] })).records.map(({ city }) => city ?? null)
