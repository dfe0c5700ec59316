// Phrases that read like a translation stay out of what people and agents read.
import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

/** Each with what to write instead. */
const banned: [RegExp, instead: string][] = [
  [/\b(?:who|what)(?:so)?ever\b/i, 'the person who, anyone who'],
  [/\b(?:somebody|nobody)\b/i, 'someone, no one, unassigned'],
  [/\b(?:tells?|told)\b/i, 'report, show, notify, explain'],
  [/\bmoments?\b/i, 'time, shortly, now'],
  [/\banew\b/i, 'again'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/(?<!\/)\bfaults?\b(?!:)/i, 'error'],
  [/\bdoors?\b/i, 'via'],
  [/\bfits\b/i, 'matches'],
  [/\bpatience\b/i, 'rate limited'],
  [/\bperhaps\b/i, 'may, unknown'],
  [/\bfrom then on\b/i, 'at or after this time'],
  [/\bholds? from\b/i, 'takes effect'],
  [/\bby (?:itself|themselves)\b/i, 'automatically'],
  [/\bgoes on\b|\bwent on\b/i, 'continues'],
  [/\bin turn\b/i, 'round robin'],
  [/\bas (?:it|they) (?:came|arrived)\b/i, 'unchanged'],
  [/\bbecomes? of\b|\bbecame of\b/i, 'outcome, how ... is handled'],
  [/\bcounts? for\b/i, 'is credited to'],
  [/\b(?:no longer|still) counts?\b/i, 'no longer works'],
  [/(?<!\bthere )\b(?:is|are) no (?!longer\b|more\b)/i, 'is not a'],
  [/\bsay (?:why you|who|until)\b/i, 'enter a reason, is required'],
  [/\bagain and again\b/i, 'keeps failing'],
  [/\b(?:it is|is) not known (?:whether|if)\b/i, 'unknown'],
  [/\b(?:no one|nobody) took\b/i, 'unplaced'],
  [/\btried before\b/i, 'is tested first'],
  [/\bsuch as:/i, 'e.g.'],
  [/\b(?:that|those) of\b/i, 'same as, default, or the noun'],
  [/\bof (?:mine|yours|ours|theirs|(?:my|your|our|their|its|one's) own)\b/i, 'your, its own ...'],
  [/\b(?:for|of|to|by|without|because) who\b/i, 'the person who, or the noun'],
  [/\bin words\b|\bwith words\b|\bthe words of\b/i, 'feedback, in plain English'],
  [/, too\b/i, 'also'],
  [/\bwithout regard to\b/i, 'ignoring'],
  [/\bhas to say\b|\bnothing waits\b|\bwaits so long\b/i, 'waiting, seconds to wait'],
  [/\bset aside\b/i, 'skipped, could not be read'],
  [/\b(?:you|it|they|that|role|agents?|users?|people) may not\b/i, 'cannot'],
  [/^(?:get|list) (?:who|how|what|whether|where)\b/i, 'Get the outcome, the settings, the embed code'],
  [/^(?:say|tell) (?!that\b.*\bis\b)|^note (?:that|who|what|how)\b/i, 'a verb of the domain'],
  [/\be-mails?\b(?!")/i, 'email'],
  [/\b(?:channels|channel|mailboxes|members) of the team\b|\bpage of the channel\b/i, 'team channels, channel page'],
  [/\b(?:takes?|taking) turns\b/i, 'round robin'],
  [/\bmade-up\b/i, 'sample'],
  [/\bknown lead\b/i, 'existing lead'],
  [/\bin this time\b|\bthe (?:period|step|month) before\b/i, 'in this period, previous period'],
  [/\boutside of\b/i, 'outside'],
  [/\b(?:is|are|was|were|be) tried again\b/i, 'retried, Retrying.'],
  [/\bas (?:it was|they were) before\b/i, 'reverted'],
  [/\bfrom now on\b/i, 'later'],
  [/\b(?:has|have) to be\b/i, 'must be'],
  [/\b(?:gateway|receiver|destination|server) answered\b/i, 'responded with'],
  [/\bmake a new\b/i, 'create, rotate'],
  [/\bto settle\b|\bsettled (?:it|the)\b/i, 'resolve'],
]

/** Phrases that are right where they are, as parts of the text. */
const justified: string[] = [
  'the user "nobody"',
  '.door as via',
  // Forms and chats also speak German and French.
  'E-Mail',
  'e-mail comme',
  'adresse e-mail',
  'cet e-mail',
  'can’t tell whether',
  'isWholeDay(moment) ? dayOf(Date.parse(moment))',
]

/** The texts of a Markdown document, by line, without code. */
const linesOf = (markdown: string) =>
  markdown
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/`[^`\n]*`/g, '`')
    .replace(/\]\([^)\n]*\)/g, ']')
    .split('\n')

const token = /\/\/.*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\\n]|\\.)*`/g

/** Strings of a program with more than one word, and its comments. */
const stringsAndComments = (source: string) =>
  (source.match(token) ?? []).flatMap((text) => {
    if (text.startsWith('/')) return text.replace(/^\/[/*]+\s?|\s*\*+\/$|\n\s*\*/g, ' ').trim()
    return text.includes(' ') ? [text.slice(1, -1)] : []
  })
const strings = (source: string) =>
  stringsAndComments(source.replace(token, (text) => (text.startsWith('/') ? '' : text)))
/** Also what stands between the tags of JSX, without the code in either. */
const stringsAndJsx = (source: string) => [
  ...strings(source).map((text) => text.replace(/\$\{[^}]*(?:\}|$)/g, '…')),
  ...[...source.matchAll(/>\s*([^<>{}=;]*\s[^<>{}=;]*)</g)]
    .map((match) => match[1]!)
    .filter((text) => !/^[^\p{L}]|&&|\/[/*]/u.test(text)),
]
const unreleased = (changelog: string) => linesOf(changelog.split(/^## /m)[1]!)

// One more place is one more line, for example ['web/**/*.tsx', stringsAndJsx].
/** What people and agents read. */
const places: [files: string | string[], textsOf: (content: string) => string[]][] = [
  ['contract/**/*.ts', stringsAndComments],
  ['server/**/*.ts', strings],
  ['web/**/*.{ts,tsx}', stringsAndJsx],
  [['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/*.md', 'connectors/n8n/README.md'], linesOf],
  ['CHANGELOG.md', unreleased],
  ['connectors/n8n/{nodes,credentials,kith}/**/*.ts', strings],
  ['.env.example', linesOf],
]

function phrasesIn(text: string) {
  const rest = justified.reduce((left, phrase) => left.replaceAll(phrase, ''), text)
  return banned.flatMap(([pattern, instead]) => {
    const found = pattern.exec(rest)?.[0]
    return found ? [`"${found}" (better: ${instead}) in: ${text.trim()}`] : []
  })
}

describe('plain words', () => {
  const files = places.flatMap(([patterns, textsOf]) =>
    globSync(patterns, { exclude: (path) => path.includes('node_modules') || path.endsWith('.test.ts') }).map(
      (file) => [file, textsOf] as const,
    ),
  )

  test.each(files)('%s has no phrase of the list', (file, textsOf) => {
    expect(textsOf(readFileSync(file, 'utf8')).flatMap(phrasesIn)).toEqual([])
  })

  test('every place has texts', () => {
    for (const [patterns, textsOf] of places) {
      const found = globSync(patterns).filter((file) => !file.includes('node_modules'))
      expect(found.flatMap((file) => textsOf(readFileSync(file, 'utf8'))).length, String(patterns)).toBeGreaterThan(10)
    }
  })

  test.each([
    ['Get a proposal with what became of it', 1],
    ["'Whoever saved it can no longer sign in.'", 1],
    ['The filter is no longer valid, and there is no such field', 0],
    ['Users become owners, in turn', 1],
  ])('in %j, %i phrases are found', (text, count) => {
    expect(phrasesIn(text)).toHaveLength(count)
  })

  test('strings, comments and JSX are read', () => {
    const source = 'const a = \'one two\' // three four\nreturn <p className="x">five six</p>'
    expect(strings(source)).toEqual(['one two'])
    expect(stringsAndComments(source)).toEqual(['one two', 'three four'])
    expect(stringsAndJsx(source)).toContain('five six')
  })
})
