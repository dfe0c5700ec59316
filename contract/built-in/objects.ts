// The objects that every company has. Companies can add fields to them and relabel them. Additions made here reach
// existing companies at the next start.

import type { FieldOption, ObjectColor, ObjectIcon } from '../objects.ts'
import type { Stage } from '../pipelines.ts'
import { mentionExample } from '../shared/mentions.ts'
import type { FieldType } from './field-types.ts'

/** Increase it with every change below. An option or default added to an existing field needs a version. */
export const builtInVersion = 9

/** `since`: the version that added it. Without it, an option that a company removed would be added again. */
type BuiltInOption = FieldOption & { since?: number }
type BuiltInField = {
  key: string
  label: string
  type: FieldType
  is_multi?: true
  is_required?: true
  is_unique?: true
  is_read_only?: true
  options?: BuiltInOption[]
  to_objects?: string[]
  default_value?: unknown
  /** The version that gave the field its default. Companies that have another one keep it. */
  default_since?: number
  description?: string
}
export type BuiltInObject = { label: string; label_plural: string; fields: BuiltInField[] }

const options = (colors: Record<string, FieldOption['color']>): FieldOption[] =>
  Object.entries(colors).map(([label, color]) => ({
    key: label.toLowerCase().replace(/[^a-z0-9]+/g, '_'),
    label,
    color,
  }))
const field = (key: string, type: FieldType, more: Partial<BuiltInField> = {}): BuiltInField => ({
  key,
  label: labelOf(key),
  type,
  ...more,
})
const labelOf = (key: string) => key.charAt(0).toUpperCase() + key.slice(1).replaceAll('_', ' ')
const tags = field('tags', 'multi_select', { options: [] })
export const filesField = field('files', 'file', { is_multi: true })

/** By key. */
export const builtIn = {
  people: {
    label: 'Person',
    label_plural: 'People',
    fields: [
      field('first_name', 'text'),
      field('last_name', 'text'),
      field('emails', 'email', { is_multi: true, is_unique: true }),
      field('phones', 'phone', { is_multi: true }),
      field('organization', 'relation', { to_objects: ['organizations'] }),
      field('job_title', 'text'),
      field('status', 'select', {
        options: options({ Prospect: 'violet', Active: 'blue', Customer: 'green', Former: 'gray' }),
      }),
      field('score', 'number'),
      tags,
      field('city', 'text'),
      field('country', 'country'),
      field('linkedin', 'url', { label: 'LinkedIn' }),
      field('birthday', 'date'),
      field('source', 'text'),
      field('do_not_contact', 'boolean'),
      field('consent', 'boolean'),
      field('notes_text', 'long_text', { label: 'Notes' }),
      filesField,
    ],
  },
  organizations: {
    label: 'Organization',
    label_plural: 'Organizations',
    fields: [
      field('name', 'text', { is_required: true }),
      field('domains', 'text', { is_multi: true, is_unique: true }),
      field('industry', 'text'),
      field('size', 'number'),
      field('phone', 'phone'),
      field('address', 'long_text'),
      field('city', 'text'),
      field('country', 'country'),
      field('website', 'url'),
      field('parent', 'relation', { to_objects: ['organizations'] }),
      tags,
      field('annual_revenue', 'money'),
      filesField,
    ],
  },
  deals: {
    label: 'Deal',
    label_plural: 'Deals',
    fields: [
      field('name', 'text', { is_required: true }),
      field('pipeline', 'select', { options: options({ Sales: 'gray' }), default_value: 'sales' }),
      field('stage', 'select', {
        options: [
          ...options({ Qualified: 'blue', Proposal: 'violet', Negotiation: 'orange' }).map((one) => ({
            ...one,
            kind: 'open' as const,
          })),
          { key: 'won', label: 'Won', color: 'green', kind: 'won' },
          { key: 'lost', label: 'Lost', color: 'gray', kind: 'lost' },
        ],
        default_value: 'qualified',
      }),
      field('status', 'select', { options: options({ Open: 'blue', Won: 'green', Lost: 'gray' }), is_read_only: true }),
      field('amount', 'money'),
      field('probability', 'number'),
      field('expected_close', 'date'),
      field('stage_entered_at', 'datetime', { label: 'In stage since', is_read_only: true }),
      field('closed_at', 'datetime'),
      field('lost_reason', 'select', {
        options: options({
          Price: 'red',
          Competitor: 'orange',
          'No budget': 'yellow',
          Timing: 'blue',
          'No decision': 'violet',
          'Missing feature': 'teal',
          Other: 'gray',
        }),
      }),
      field('organization', 'relation', { to_objects: ['organizations'] }),
      field('people', 'relation', { to_objects: ['people'], is_multi: true }),
      tags,
      field('source', 'select', {
        options: options({
          Website: 'blue',
          Referral: 'green',
          Event: 'violet',
          Advertising: 'orange',
          Partner: 'teal',
          Outreach: 'yellow',
          Other: 'gray',
        }),
      }),
      filesField,
    ],
  },
  leads: {
    label: 'Lead',
    label_plural: 'Leads',
    fields: [
      field('first_name', 'text'),
      field('last_name', 'text'),
      field('email', 'email'),
      field('phone', 'phone'),
      field('company_name', 'text'),
      field('message', 'long_text'),
      field('status', 'select', {
        options: options({
          New: 'blue',
          Working: 'yellow',
          Qualified: 'violet',
          Disqualified: 'gray',
          Converted: 'green',
        }),
        default_value: 'new',
      }),
      field('score', 'number'),
      field('source', 'text'),
      field('campaign', 'text'),
      field('utm_source', 'text', { label: 'UTM source' }),
      field('utm_medium', 'text', { label: 'UTM medium' }),
      field('utm_campaign', 'text', { label: 'UTM campaign' }),
      field('utm_term', 'text', { label: 'UTM term' }),
      field('utm_content', 'text', { label: 'UTM content' }),
      field('page', 'url'),
      field('referrer', 'url'),
      field('consent', 'boolean'),
      field('first_response_at', 'datetime', { description: 'First outgoing call or email to the lead' }),
      field('response_due_at', 'datetime', {
        label: 'First response due',
        is_read_only: true,
        description: 'Deadline for the first response',
      }),
      field('response_minutes', 'number', {
        label: 'Minutes to first response',
        is_read_only: true,
        description: 'From receiving the lead to the first response',
      }),
      field('converted_person', 'relation', { to_objects: ['people'] }),
      field('converted_organization', 'relation', { to_objects: ['organizations'] }),
      field('converted_deal', 'relation', { to_objects: ['deals'] }),
      field('sending', 'select', {
        options: options({ Delivered: 'green', 'Not taken': 'gray', Unknown: 'orange', Returned: 'red' }),
        is_read_only: true,
        description: 'Outcome of sending the lead to destinations',
      }),
      field('delivered_to', 'text', {
        is_multi: true,
        is_read_only: true,
        description: 'Destinations that accepted the lead',
      }),
      field('delivered_at', 'datetime', { is_read_only: true }),
      field('revenue', 'money', { is_read_only: true, description: 'From sending the lead' }),
      tags,
      filesField,
    ],
  },
  tasks: {
    label: 'Task',
    label_plural: 'Tasks',
    fields: [
      field('title', 'text', { is_required: true }),
      field('due_at', 'datetime', { label: 'Due' }),
      field('remind_at', 'datetime', { label: 'Remind at' }),
      field('status', 'select', {
        options: options({ Open: 'blue', Done: 'green', Cancelled: 'gray' }),
        default_value: 'open',
      }),
      field('priority', 'select', {
        options: options({ Low: 'gray', Normal: 'blue', High: 'orange' }),
        default_value: 'normal',
      }),
      field('assignee', 'user', { default_value: 'me', default_since: 3 }),
      field('about', 'relation', { to_objects: [], is_multi: true }),
      field('body', 'long_text'),
      field('completed_at', 'datetime', { label: 'Completed', is_read_only: true }),
      field('repeats', 'select', {
        options: options({
          Daily: 'gray',
          'Every weekday': 'gray',
          Weekly: 'gray',
          'Every two weeks': 'gray',
          Monthly: 'gray',
          Quarterly: 'gray',
          Yearly: 'gray',
        }),
        description: 'Completing the task creates the next one. Cancelling it ends the series',
      }),
      field('repeats_from', 'datetime', {
        is_read_only: true,
        description: 'Due time from which the next ones are calculated',
      }),
      filesField,
    ],
  },
  notes: {
    label: 'Note',
    label_plural: 'Notes',
    fields: [
      field('body', 'long_text', { is_required: true, description: `Markdown. ${mentionExample} mentions a user` }),
      field('about', 'relation', { to_objects: [], is_multi: true }),
      field('reply_to', 'relation', {
        to_objects: ['notes'],
        description: 'The note this one replies to. Without about, it is about the same records',
      }),
      filesField,
    ],
  },
  activities: {
    label: 'Activity',
    label_plural: 'Activities',
    fields: [
      field('kind', 'select', {
        options: options({ Call: 'teal', Meeting: 'violet', Email: 'blue', Visit: 'orange', Other: 'gray' }),
        is_required: true,
      }),
      field('at', 'datetime', { is_required: true }),
      field('duration', 'number', { label: 'Duration (minutes)' }),
      field('outcome', 'text'),
      field('direction', 'select', {
        options: options({ Outgoing: 'green', Incoming: 'blue' }),
        description: 'Whether you or the contact called or wrote; empty means outgoing',
      }),
      field('body', 'long_text'),
      field('about', 'relation', { to_objects: [], is_multi: true }),
      field('people', 'relation', { to_objects: ['people'], is_multi: true }),
      filesField,
    ],
  },
  products: {
    label: 'Product',
    label_plural: 'Products',
    fields: [
      field('name', 'text', { is_required: true }),
      field('sku', 'text', { label: 'SKU', is_unique: true }),
      field('price', 'money'),
      filesField,
    ],
  },
  deal_lines: {
    label: 'Line item',
    label_plural: 'Line items',
    fields: [
      field('deal', 'relation', { to_objects: ['deals'], is_required: true }),
      field('product', 'relation', { to_objects: ['products'] }),
      field('quantity', 'number', { default_value: 1 }),
      field('unit_price', 'money'),
      field('discount', 'number', { label: 'Discount (%)' }),
    ],
  },
} satisfies Record<string, BuiltInObject>

/**
 * Choices that used to be texts, by object. Imports and converted leads add options to them, up to a number; everyone else
 * chooses among those that there are.
 */
export const openChoices: Partial<Record<keyof typeof builtIn, string[]>> = { deals: ['lost_reason', 'source'] }
export const mostOpenOptions = 200

/** How they look, in the order in which new companies see them. */
export const builtInLooks: Record<keyof typeof builtIn, { icon: ObjectIcon; color: ObjectColor }> = {
  deals: { icon: 'handshake', color: 'green' },
  people: { icon: 'user', color: 'blue' },
  organizations: { icon: 'building', color: 'violet' },
  leads: { icon: 'sprout', color: 'orange' },
  tasks: { icon: 'circle-check', color: 'teal' },
  notes: { icon: 'notebook', color: 'yellow' },
  activities: { icon: 'calendar', color: 'pink' },
  products: { icon: 'package', color: 'red' },
  deal_lines: { icon: 'receipt', color: 'gray' },
}

type StartStage = Pick<Stage, 'probability' | 'stuck_after_days'>
/** What the stages of deals do in companies that are new, by key. Existing companies choose for themselves. */
export const startStages: Record<string, StartStage> = {
  qualified: { probability: 20, stuck_after_days: 14 },
  proposal: { probability: 45, stuck_after_days: 14 },
  negotiation: { probability: 70, stuck_after_days: 21 },
}
