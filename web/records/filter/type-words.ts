import type { FilterField } from '../../../contract/filter/index.ts'

/** What kind of field it is, in a word or two. */
export const typeWords = ({ type, many, multi }: FilterField) => {
  if (type === 'relation') return many ? 'relation to many' : 'relation'
  return `${type.replaceAll('_', ' ')}${multi ? ', several' : ''}`
}
