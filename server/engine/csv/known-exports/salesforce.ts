import {
  calculated,
  each,
  history,
  type Into,
  ids,
  type KnownExports,
  noField,
  oldId,
  sameElsewhere,
  settings,
  skipRow,
} from './known-file.ts'

const everywhere = {
  Id: oldId,
  IsDeleted: skipRow,
  OwnerId: 'owner',
  CreatedDate: 'created_at',
  CreatedById: 'created_by',
  ...each(history, 'LastModifiedDate', 'LastModifiedById', 'SystemModstamp', 'LastViewedDate', 'LastReferencedDate'),
  ...each(calculated, 'LastActivityDate', 'PhotoUrl'),
  ...each(settings, 'RecordTypeId', 'MasterRecordId'),
}

const accounts: Into = {
  object: 'organizations',
  columns: {
    Name: 'name',
    ParentId: ids('parent'),
    Phone: 'phone',
    Website: 'website',
    ...each('address', 'BillingStreet', 'BillingPostalCode', 'BillingState'),
    BillingCity: 'city',
    ...each('country', 'BillingCountry', 'BillingCountryCode'),
    Industry: 'industry',
    AnnualRevenue: 'annual_revenue',
    CurrencyIsoCode: 'annual_revenue.currency',
    NumberOfEmployees: 'size',
    ...each(noField, 'Type', 'Description', 'Fax', 'AccountNumber', 'AccountSource', 'Rating', 'Site'),
    ...each(noField, 'ShippingStreet', 'ShippingCity', 'ShippingState', 'ShippingPostalCode', 'ShippingCountry'),
    ...everywhere,
  },
}

const contacts: Into = {
  object: 'people',
  columns: {
    FirstName: 'first_name',
    MiddleName: 'first_name',
    LastName: 'last_name',
    Name: 'title',
    AccountId: ids('organization'),
    Email: 'emails',
    ...each('phones', 'Phone', 'MobilePhone', 'HomePhone', 'OtherPhone'),
    Title: 'job_title',
    MailingCity: 'city',
    ...each('country', 'MailingCountry', 'MailingCountryCode'),
    Birthdate: 'birthday',
    LeadSource: 'source',
    Description: 'notes_text',
    HasOptedOutOfEmail: 'do_not_contact',
    ...each(noField, 'Salutation', 'Suffix', 'Department', 'ReportsToId', 'DoNotCall', 'Fax', 'AssistantName'),
    ...each(noField, 'MailingStreet', 'MailingState', 'MailingPostalCode', 'AssistantPhone'),
    ...each(noField, 'OtherStreet', 'OtherCity', 'OtherState', 'OtherPostalCode', 'OtherCountry'),
    ...everywhere,
  },
}

const leads: Into = {
  object: 'leads',
  columns: {
    FirstName: 'first_name',
    MiddleName: 'first_name',
    LastName: 'last_name',
    Name: 'title',
    Company: 'company_name',
    Email: 'email',
    ...each('phone', 'Phone', 'MobilePhone'),
    Status: 'status',
    LeadSource: 'source',
    Description: 'message',
    ConvertedContactId: ids('converted_person'),
    ConvertedAccountId: ids('converted_organization'),
    ConvertedOpportunityId: ids('converted_deal'),
    ...each({ out: 'The status and the converted records say it' }, 'IsConverted', 'ConvertedDate'),
    ...each(noField, 'Salutation', 'Suffix', 'Title', 'Website', 'Industry', 'Rating', 'AnnualRevenue'),
    ...each(noField, 'NumberOfEmployees', 'Street', 'City', 'State', 'PostalCode', 'Country', 'Fax'),
    ...each(settings, 'IsUnreadByOwner'),
    ...everywhere,
  },
}

const opportunities: Into = {
  object: 'deals',
  columns: {
    Name: 'name',
    AccountId: ids('organization'),
    ContactId: ids('people'),
    StageName: 'stage',
    Amount: 'amount',
    CurrencyIsoCode: 'amount.currency',
    Probability: 'probability',
    CloseDate: 'expected_close',
    LeadSource: 'source',
    ...each({ out: 'It follows from the stage' }, 'IsClosed', 'IsWon', 'ForecastCategory', 'ForecastCategoryName'),
    ...each(calculated, 'ExpectedRevenue', 'Fiscal', 'FiscalYear', 'FiscalQuarter', 'HasOpportunityLineItem'),
    ...each(history, 'LastStageChangeDate', 'LastAmountChangedHistoryId', 'LastCloseDateChangedHistoryId'),
    ...each(noField, 'Description', 'Type', 'NextStep', 'CampaignId', 'TotalOpportunityQuantity'),
    ...everywhere,
  },
}

const about = {
  ...each(ids('about'), 'WhatId', 'WhoId'),
  AccountId: ids('about.organizations'),
  Description: 'body',
}

const repeated = each(settings, 'IsRecurrence', 'RecurrenceType', 'RecurrenceInterval', 'RecurrenceActivityId')

const tasks: Into = {
  object: 'tasks',
  columns: {
    Subject: 'title',
    ActivityDate: 'due_at',
    Status: 'status',
    Priority: 'priority',
    CompletedDateTime: 'completed_at',
    ...about,
    ...each(sameElsewhere, 'IsClosed', 'IsHighPriority'),
    ...each(settings, 'IsReminderSet', 'ReminderDateTime', 'IsArchived'),
    ...each(noField, 'Type', 'TaskSubtype', 'CallType', 'CallDisposition', 'CallDurationInSeconds', 'CallObject'),
    ...repeated,
    ...everywhere,
    OwnerId: 'assignee',
  },
}

const tasksAsActivities: Into = {
  object: 'activities',
  columns: {
    Subject: 'outcome',
    ...each('at', 'CompletedDateTime', 'ActivityDate'),
    ...each('kind', 'Type', 'TaskSubtype'),
    ...about,
    ...each(sameElsewhere, 'IsClosed', 'Status'),
    ...each(noField, 'Priority', 'CallType', 'CallDisposition', 'CallDurationInSeconds', 'CallObject'),
    ...repeated,
    ...everywhere,
  },
}

const events: Into = {
  object: 'activities',
  columns: {
    Subject: 'outcome',
    ...each('at', 'StartDateTime', 'ActivityDateTime', 'ActivityDate'),
    DurationInMinutes: 'duration',
    ...each('kind', 'Type', 'EventSubtype'),
    ...about,
    ...each({ out: 'It follows from the start and the duration' }, 'EndDateTime', 'EndDate'),
    ...each(noField, 'Location'),
    ...each(settings, 'IsAllDayEvent', 'IsPrivate', 'ShowAs', 'IsReminderSet', 'ReminderDateTime', 'IsArchived'),
    ...each(settings, 'IsGroupEvent', 'GroupEventType', 'IsChild'),
    ...repeated,
    ...everywhere,
  },
  implied: { kind: 'meeting' },
}

const notes: Into = {
  object: 'notes',
  columns: {
    ParentId: ids('about'),
    ...each('body', 'Title', 'Body'),
    ...each(settings, 'IsPrivate'),
    ...everywhere,
  },
}

const products: Into = {
  object: 'products',
  columns: {
    Name: 'name',
    ProductCode: 'sku',
    ...each(noField, 'Description', 'Family', 'IsActive', 'QuantityUnitOfMeasure'),
    ...everywhere,
  },
}

export const salesforce: KnownExports = {
  system: 'Salesforce',
  files: [
    { signs: [/^Id$/, /^Name$/, /^(Billing(Street|City|Country)|NumberOfEmployees)$/], into: [accounts] },
    { signs: [/^Id$/, /^LastName$/, /^(AccountId|MailingCity|MailingCountry|ReportsToId)$/], into: [contacts] },
    { signs: [/^Id$/, /^LastName$/, /^Company$/, /^(Status|IsConverted|LeadSource)$/], into: [leads] },
    { signs: [/^Id$/, /^StageName$/], into: [opportunities] },
    {
      signs: [/^Id$/, /^Subject$/, /^(WhoId|WhatId|OwnerId)$/, /^(Status|Priority|TaskSubtype|CallType)$/],
      into: [tasks, tasksAsActivities],
    },
    { signs: [/^Id$/, /^Subject$/, /^(StartDateTime|DurationInMinutes|EventSubtype)$/], into: [events] },
    { signs: [/^Id$/, /^ParentId$/, /^Title$/, /^Body$/], into: [notes] },
    { signs: [/^Id$/, /^Name$/, /^ProductCode$/], into: [products] },
  ],
}
