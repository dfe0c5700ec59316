// Every operation on records, called with IDs and names that belong to another company.
import type { Api } from '../app.ts'

export type Ids = {
  person: string
  organization: string
  trashed: string
  user: string
  set: string
  key: string
  object: string
  field: string
}
const since = '2020-01-01T00:00:00Z'

export const triesWith = (api: Api, ours: Ids): Record<string, (x: Ids) => Promise<unknown>> => ({
  getRecord: (x) => api.getRecord({ object: 'people', id: x.person }),
  getRecords: async (x) => {
    const answer = await api.getRecords({ object: 'people', ids: [ours.person, x.person] })
    // Tools answer with a text.
    return typeof answer === 'string' ? answer : { ...answer, missing: answer.missing.length }
  },
  sharedValues: () => api.listSharedValues({}),
  titles: (x) => api.getRecordTitles({ ids: [ours.person, x.person] }),
  trash: (x) => api.listTrash({ deleted_by: x.user }),
  titlesInTrash: (x) => api.getRecordTitles({ ids: [x.trashed], include_deleted: true }),
  filterById: (x) => api.listRecords({ object: 'people', filter: `id = "${x.person}"` }),
  filterByRelation: (x) =>
    api.queryRecords({ object: 'people', filter: { field: 'organization', op: 'eq', value: x.organization } }),
  filterByPath: (x) => api.countRecords({ object: 'people', filter: `organization.id = "${x.organization}"` }),
  filterByAny: (x) => api.listRecords({ object: 'organizations', filter: `any(people: id = "${x.person}")` }),
  filterBackwards: (x) => api.listRecords({ object: 'organizations', filter: `people has any (${x.person})` }),
  filterByUser: (x) => api.countRecords({ object: 'people', filter: `owner = ${x.user}` }),
  createWithRelation: (x) => api.createRecords({ object: 'people', records: [{ organization: x.organization }] }),
  createWithList: (x) =>
    api.createRecords({ object: 'deals', records: [{ name: 'D', people: [ours.person, x.person] }] }),
  createAbout: (x) => api.createRecords({ object: 'tasks', records: [{ title: 'T', about: [x.person] }] }),
  createForUser: (x) => api.createRecords({ object: 'people', records: [{ owner: x.user }] }),
  assign: (x) => api.createRecords({ object: 'tasks', records: [{ title: 'T', assignee: x.user }] }),
  update: (x) => api.updateRecords({ object: 'people', records: [{ id: x.person, values: { score: 1 } }] }),
  updateVersion: (x) =>
    api.updateRecords({ object: 'people', records: [{ id: x.person, version: 1, values: { score: 1 } }] }),
  updateRelation: (x) =>
    api.updateRecords({
      object: 'people',
      records: [{ id: ours.person, values: { organization: x.organization } }],
    }),
  upsertRelation: (x) =>
    api.upsertRecords({
      object: 'people',
      match_on: 'emails',
      records: [{ emails: ['same@x.com'], organization: x.organization }],
    }),
  delete: (x) => api.deleteRecords({ object: 'people', ids: [x.person] }),
  restore: (x) => api.restoreRecords({ object: 'people', ids: [x.trashed] }),
  purge: (x) => api.purgeRecords({ object: 'people', ids: [x.trashed] }),
  merge: (x) => api.mergeRecords({ object: 'people', id: x.person, merge: [ours.person] }),
  mergeFrom: (x) => api.mergeRecords({ object: 'people', id: ours.person, merge: [x.person] }),
  bulkMerge: (x) => api.bulkMergeRecords({ object: 'people', groups: [{ id: ours.person, merge: [x.person] }] }),
  place: (x) => api.placeRecord({ object: 'people', id: x.person }),
  placeAbove: (x) => api.placeRecord({ object: 'people', id: ours.person, above: x.person }),
  link: (x) => api.linkRecords({ object: 'people', id: x.person, field: 'organization', to: [ours.organization] }),
  linkTo: (x) => api.linkRecords({ object: 'people', id: ours.person, field: 'organization', to: [x.organization] }),
  unlink: (x) => api.unlinkRecords({ object: 'people', id: x.person, field: 'organization', to: [ours.organization] }),
  unlinkFrom: (x) =>
    api.unlinkRecords({ object: 'people', id: ours.person, field: 'organization', to: [x.organization] }),
  bulkUpdate: (x) => api.bulkUpdateRecords({ object: 'people', ids: [x.person], values: { score: 1 } }),
  bulkUpdateTo: (x) =>
    api.bulkUpdateRecords({ object: 'people', filter: `organization = ${x.organization}`, values: { score: 1 } }),
  bulkDelete: (x) => api.bulkDeleteRecords({ object: 'people', ids: [x.person] }),
  eventsOfRecord: (x) => api.listEvents({ record_id: x.person }),
  changesOfRecord: (x) => api.listChanges({ record_id: x.person }),
  changesOfUser: (x) => api.listChanges({ actor_id: x.user }),
  changesOfKey: (x) => api.listChanges({ api_key_id: x.key }),
  undo: (x) => api.undoChanges({ change_set_ids: [x.set] }),
  undoOfKey: (x) => api.undoChanges({ api_key_id: x.key, since }),
  validate: (x) =>
    api.validateFilter({ object: 'people', filter: `organization = "${x.organization}" and ${x.field} = 1` }),
  validateObject: (x) => api.validateFilter({ object: x.object, filter: 'title = a' }),
  schema: (x) => api.describeSchema({ objects: [x.object] }),
  objectList: (x) => api.listRecords({ object: x.object }),
  updateObject: (x) => api.updateObject({ object: x.object, label: 'Mine' }),
  createField: (x) => api.createField({ object: x.object, key: 'mine', label: 'Mine', type: 'text' }),
  relationTo: (x) =>
    api.createField({ object: 'people', key: 'rel', label: 'R', type: 'relation', to_objects: [x.object] }),
  updateField: (x) => api.updateField({ object: 'people', field: x.field, label: 'Mine' }),
  filterByField: (x) => api.listRecords({ object: 'people', filter: `${x.field} = 1` }),
  sortByField: (x) => api.listRecords({ object: 'people', sort: [x.field] }),
  writeField: (x) => api.createRecords({ object: 'people', records: [{ [x.field]: 'x' }] }),
})
