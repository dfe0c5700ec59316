import { describe, expect, test } from 'vitest'
import { builtIn } from '../../../contract/built-in/objects.ts'
import { originFields } from '../../../contract/shared/import-targets.ts'
import { type KnownColumn, noField, oldId, skipRow } from './known-exports/known-file.ts'
import { decided, knownExport, knownExports } from './known-exports.ts'

type Field = { key: string; type: string; to_objects?: string[] }
const fieldsOf = (object: keyof typeof builtIn) =>
  new Map<string, Field>(builtIn[object].fields.map((one) => [one.key, one]))
const everywhere = [...originFields.map(({ key }) => key), 'owner', oldId, noField, skipRow]

/** Why a column cannot go there. */
function faultOf(object: keyof typeof builtIn, to: KnownColumn): string | undefined {
  if (typeof to === 'object' && 'out' in to) return undefined
  const [key = '', part] = (typeof to === 'object' ? to.ids : to).split('.')
  const fields = fieldsOf(object)
  const field = fields.get(key)
  if (typeof to === 'object' && field?.type !== 'relation') return 'no relation'
  if (part !== undefined) {
    const parts = { money: ['currency'], datetime: ['time'], relation: Object.keys(builtIn) }[field?.type ?? '']
    return parts?.includes(part) ? undefined : 'no such part'
  }
  const isFullName = key === 'title' && fields.has('first_name')
  return field || everywhere.includes(key) || isFullName ? undefined : 'no such field'
}

describe('the tables of known exports', () => {
  const files = knownExports.flatMap(({ system, files }) =>
    files.flatMap(({ into }) => into.map((one) => ({ system, ...one }))),
  )

  test('put every column into a field that companies have', () => {
    const wrong = files.flatMap(({ system, object, columns }) =>
      Object.entries(columns).flatMap(([header, to]) => {
        const fault = faultOf(object, to)
        return fault ? `${system} ${object} ${header}: ${fault}` : []
      }),
    )
    expect(wrong).toEqual([])
  })

  test('imply only options that companies have', () => {
    for (const { object, implied = {} } of files)
      for (const [key, option] of Object.entries(implied)) {
        const field = builtIn[object].fields.find((one) => one.key === key)
        expect(field && 'options' in field && field.options!.map((one) => one.key)).toContain(option)
      }
  })
})

describe('a file', () => {
  test.each([
    ['Pipedrive', 'deals', 'Deal - ID,Deal - Title,Deal - Value,Organization - Name,Person - Name'],
    ['Pipedrive', 'leads', 'Lead - Title,Lead - Organization,Lead - Contact person,Lead - Lead created'],
    ['Pipedrive', 'products', 'Product - ID,Product - Name,Product - Unit price'],
    ['Pipedrive', 'notes', 'ID,Content,Deal,Person,User,Add time'],
    ['HubSpot', 'people', 'Record ID,First Name,Last Name,Email,Company Name,Lead Status'],
    ['HubSpot', 'organizations', 'Record ID,Company name,Company owner,Create Date'],
    ['HubSpot', 'deals', 'Record ID,Deal Name,Deal Stage,Deal owner'],
    ['HubSpot', 'tasks', 'Record ID,Task Title,Task status,Due date,Notes'],
    ['HubSpot', 'activities', 'Record ID,Call Title,Activity date,Activity assigned to'],
    ['HubSpot', 'activities', 'Record ID,Meeting name,Meeting start time'],
    ['HubSpot', 'notes', 'Record ID,Note body,Activity date'],
    ['Salesforce', 'organizations', 'Id,IsDeleted,Name,ParentId,BillingCity'],
    ['Salesforce', 'people', 'Id,IsDeleted,AccountId,LastName,FirstName,Name,Title,LeadSource'],
    ['Salesforce', 'leads', 'Id,IsDeleted,LastName,FirstName,Name,Title,Company,LeadSource,Status,IsConverted'],
    ['Salesforce', 'deals', 'Id,AccountId,Name,StageName,CloseDate'],
    ['Salesforce', 'tasks', 'Id,WhoId,WhatId,Subject,ActivityDate,Status,Priority,TaskSubtype'],
    ['Salesforce', 'activities', 'Id,WhoId,WhatId,Subject,ActivityDate,StartDateTime,DurationInMinutes'],
    ['Salesforce', 'notes', 'Id,ParentId,Title,IsPrivate,Body,OwnerId'],
    ['Salesforce', 'products', 'Id,Name,ProductCode,Description'],
    ['Attio', 'people', 'Record ID,Person,Email addresses,Company'],
    ['Attio', 'organizations', 'Record ID,Company,Domains,Team'],
    ['Attio', 'deals', 'Record ID,Deal name,Deal stage,Deal owner'],
    ['Attio', 'tasks', 'Task ID,Content,Due date,Completed,Assignees,Linked records'],
    ['Twenty', 'organizations', 'Id,Name,Domain Name / Link URL,Account Owner Id'],
    ['Twenty', 'people', 'Id,Name / First Name,Name / Last Name,Company Id'],
    ['Twenty', 'deals', 'Id,Name,Amount / Amount,Stage,Point of Contact Id'],
    ['Twenty', 'tasks', 'Id,Title,Body,Due Date,Assignee Id'],
    ['Twenty', 'notes', 'Id,Title,Body,Creation date'],
    ['Google Contacts', 'people', 'First Name,Last Name,E-mail 1 - Label,E-mail 1 - Value'],
    ['Outlook', 'people', 'First Name,Last Name,E-mail Address,Business Phone'],
  ])('of %s is recognized: %s', (system, object, header) => {
    const columns = header.split(',')
    const known = knownExport(columns)
    expect([known?.system, known && decided(known, 'x.csv', columns, []).object]).toEqual([system, object])
  })

  test.each(['Name,Email,Company', 'Id,Name,Email', 'Title,Content', 'Deal,Amount,Stage'])(
    'with columns that anyone could have is not: %s',
    (header) => expect(knownExport(header.split(','))).toBeUndefined(),
  )

  test.each([
    ['Done,Done', 'x.csv', 'activities', false],
    ['To do,To do', 'x.csv', 'tasks', false],
    ['Done,To do', 'x.csv', 'tasks', true],
  ])('of activities that are %s is decided by what is in it', (cells, name, object, hasNote) => {
    const columns = ['Activity - Subject', 'Activity - Done']
    const decision = decided(knownExport(columns)!, name, columns, [['a', 'b'], cells.split(',')])
    expect([decision.object, decision.note !== undefined, decision.isDecided]).toEqual([object, hasNote, true])
  })

  test('of activities without a column for it is decided by its name', () => {
    const columns = ['Activity - Subject', 'Activity - Type']
    const objectOf = (name: string) => decided(knownExport(columns)!, name, columns, [['a'], ['Call']]).object
    expect(['activities-8410.csv', 'activities-todo.csv', 'Open activities.csv'].map(objectOf)).toEqual([
      'activities',
      'tasks',
      'tasks',
    ])
  })
})
