// Terms as conditions on the search text of a record, which has a trigram index.
import { escapeLike, type Params } from '../../kernel/statement.ts'
import { keyMark } from '../values/search-text.ts'
import { isShort, nearForms, oneTypoPattern, type Term, typoPattern } from './terms.ts'

/** The first line of the search text. */
export const titleLine = (alias: string) => `split_part(${alias}.search, E'\\n', 1)`

/** The subselect hides the pattern from the planner, so that PostgreSQL keeps one plan for all of them. */
const like = (params: Params, text: string, pattern: string) => `${text} like (select ${params.add(pattern, 'text')})`
const all = (conditions: string[]) => (conditions.length ? `(${conditions.join(' and ')})` : 'true')
const any = (conditions: string[]) => (conditions.length ? `(${conditions.join(' or ')})` : 'false')

/** The term is somewhere in this text; a short one at the beginning of a word. */
export function matches(term: Term, text: string, params: Params) {
  const before = isShort(term) ? ' ' : ''
  const forms = term.forms.map((form) => like(params, text, `%${before}${escapeLike(form)}%`))
  return any([...forms, ...partsOf(term, text, params)])
}

const partsOf = ({ parts }: Term, text: string, params: Params) =>
  parts ? [all(parts.map((part) => like(params, text, `%${escapeLike(part)}%`)))] : []

export const matchesAll = (terms: Term[], alias: string, params: Params) =>
  all(terms.map((term) => matches(term, `${alias}.search`, params)))

/** The same for filters, where a short term may be anywhere too. */
export const containsAll = (terms: Term[], alias: string, params: Params) =>
  all(
    terms.map((term) =>
      any(
        term.forms
          .map((form) => like(params, `${alias}.search`, `%${escapeLike(form)}%`))
          .concat(partsOf(term, `${alias}.search`, params)),
      ),
    ),
  )

/** The same without the index, for terms that so many records have that reading the index takes longer. */
export const matchesAllUnindexed = (terms: Term[], alias: string, params: Params) =>
  all(terms.map((term) => matches(term, `(${alias}.search || '')`, params)))

const beginsWord = ({ forms }: Term, text: string, params: Params) =>
  any(forms.flatMap((form) => [' ', ` ${keyMark}`].map((start) => like(params, text, `%${start}${escapeLike(form)}%`))))

const isKey = ({ forms }: Term, text: string, params: Params) =>
  any(forms.map((form) => like(params, text, `% ${keyMark}${escapeLike(form)} %`)))

/** How good a match is, best first. `looser`: some term is missing or has a typo. */
export const ranks = { key: 0, name: 1, title: 2, word: 3, inside: 4, looser: 5 }

export function rankOf(terms: Term[], phrase: string, alias: string, params: Params) {
  const [text, title] = [`${alias}.search`, titleLine(alias)]
  return `case when ${any(terms.map((term) => isKey(term, text, params)))} then ${ranks.key}
    when ${like(params, text, ` ${escapeLike(phrase)} \n%`)} then ${ranks.name}
    when ${all(terms.map((term) => beginsWord(term, title, params)))} then ${ranks.title}
    when ${all(terms.map((term) => beginsWord(term, text, params)))} then ${ranks.word} else ${ranks.inside} end`
}

/** A word of the title is similar, judged by its trigrams. Lower than PostgreSQL's own limit, which misses most typos. */
const similar = 0.3

const similarity = ({ forms }: Term, alias: string, params: Params) =>
  `greatest(${nearForms(forms)
    .map((form) => `word_similarity(${params.add(form, 'text')}, ${titleLine(alias)})`)
    .join(', ')})`

/** A word of the title is nearly this. */
export function matchesNearly(term: Term, alias: string, params: Params) {
  const pattern = typoPattern(term)
  if (!pattern) return undefined
  const isNear = any([`${similarity(term, alias, params)} >= ${similar}`, ...oneTypoIn(term, alias, params)])
  return `(${alias}.search ~ (select ${params.add(pattern, 'text')}) and ${isNear})`
}

/** Trigrams tell little of short words and of swapped letters: fregus and Fergus share three of eleven. */
function oneTypoIn(term: Term, alias: string, params: Params) {
  const pattern = oneTypoPattern(term)
  return pattern ? [`${titleLine(alias)} ~ (select ${params.add(pattern, 'text')})`] : []
}

/** How much of the terms is not found: 1 for each that is missing, less for one with a typo or outside of the title. */
export const missingShare = (terms: Term[], alias: string, params: Params) =>
  terms
    .map((term) => {
      const isThere = (text: string) => matches(term, text, params)
      const isAlike = term.kind === 'text' ? `1 - ${similarity(term, alias, params)}` : '1'
      const oneTypo = oneTypoIn(term, alias, params).map((isIt) => `when ${isIt} then least(0.3, ${isAlike}) `)
      return `case when ${isThere(titleLine(alias))} then 0 when ${isThere(`${alias}.search`)} then 0.1 ${oneTypo.join('')}else ${isAlike} end`
    })
    .join(' + ')
