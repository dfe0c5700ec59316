// Generates the parser of the filter language from its grammar.
import { readFileSync, writeFileSync } from 'node:fs'
import { buildParserFile } from '@lezer/generator'

const folder = new URL('../contract/filter/', import.meta.url)

export function filterParser() {
  const grammar = readFileSync(new URL('filter.grammar', folder), 'utf8')
  const { parser, terms } = buildParserFile(grammar, { fileName: 'filter.grammar', typeScript: true })
  return { 'parser.ts': parser, 'parser.terms.ts': terms }
}

export function writeFilterParser() {
  for (const [file, text] of Object.entries(filterParser())) writeFileSync(new URL(file, folder), text)
}

if (import.meta.main) writeFilterParser()
