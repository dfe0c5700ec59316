import type { INodeProperties } from 'n8n-workflow'
import { onlyFor } from './only-for.ts'

export const reportOperation: INodeProperties = {
  displayName: 'Operation',
  name: 'operation',
  type: 'options',
  noDataExpression: true,
  ...onlyFor('report'),
  options: [
    {
      name: 'Aggregate',
      value: 'aggregate',
      description: 'Count, sum or average records, in total and by group',
      action: 'Aggregate records',
    },
  ],
  default: 'aggregate',
}

export const aggregate: INodeProperties[] = [
  {
    displayName: 'Measures',
    name: 'measures',
    type: 'string',
    required: true,
    default: 'count',
    placeholder: 'count, sum(amount)',
    description:
      'Measures, separated by commas: count, or sum, average, min, max, distinct, filled, weighted or sum_not_lost of a field, e.g. <code>sum(amount)</code>',
    ...onlyFor('report', 'aggregate'),
  },
  {
    displayName: 'Group By',
    name: 'groupBy',
    type: 'string',
    default: '',
    placeholder: 'stage, month(created_at)',
    description:
      'Up to two fields, fields of related records such as <code>organization.country</code>, or day, week, month, quarter or year of a date',
    ...onlyFor('report', 'aggregate'),
  },
  {
    displayName: 'Simplify',
    name: 'simplify',
    type: 'boolean',
    default: true,
    description: 'Whether to return a simplified version of the response instead of the raw data',
    ...onlyFor('report', 'aggregate'),
  },
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add option',
    default: {},
    ...onlyFor('report', 'aggregate'),
    options: [
      {
        displayName: 'Include Empty Groups',
        name: 'fill',
        type: 'boolean',
        default: false,
        description: 'Whether to include periods and options without records',
      },
      {
        displayName: 'Order',
        name: 'order',
        type: 'string',
        default: '',
        placeholder: '-sum(amount)',
        description: 'Order of the groups: <code>key</code>, or a measure; - reverses the order',
      },
      {
        displayName: 'Top Groups',
        name: 'top',
        type: 'number',
        typeOptions: { minValue: 1, maxValue: 100 },
        default: 10,
        description: 'Number of groups to return, by order; the rest are combined into one',
      },
    ],
  },
]
