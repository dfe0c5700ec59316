// Which lines of a text are in earlier messages. Compares words, so neither the language nor line breaks matter.

/** A few words in a row that are equal are no coincidence. */
const run = 5
/** Scripts without spaces count by character. */
const word = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}]+/gu
const mostWords = 20_000

export type Known = {
  /** At least half of its words are in an earlier message, in the same order. */
  isKnown: boolean
  /** An earlier message begins here. */
  isStart: boolean
  /** Where its last known words are, or where the same short line is. */
  place: WordPosition | null
}
/** Which message, and how far into it. */
type WordPosition = { message: number; word: number }

export function knownLines(lines: string[], earlier: string[]): Known[] {
  const { runs, sameLines } = placesOf(earlier)
  const words = wordsIn(lines)
  const covered = new Array<number>(words.length).fill(-1)
  const starts = new Set<number>()
  const found: (WordPosition | null)[] = []
  for (let at = 0; at + run <= words.length; at++) {
    const place = runs.get(keyAt(words, at))
    found.push(place ?? null)
    if (!place) continue
    for (let next = at; next < at + run; next++) covered[next] = at
    if (place.word === 0) starts.add(words[at]!.line)
  }
  const totals = lines.map((_, line): { words: number; known: number; place: WordPosition | null } => ({
    words: 0,
    known: 0,
    place: sameLines.get(lineKey(lines[line]!)) ?? null,
  }))
  words.forEach(({ line }, index) => {
    const total = totals[line]!
    total.words++
    const from = covered[index]!
    if (from < 0) return
    total.known++
    total.place = { message: found[from]!.message, word: found[from]!.word + index - from }
  })
  return totals.map(({ words, known, place }, line) => ({
    isKnown: words > 0 && known * 2 >= words,
    isStart: starts.has(line),
    place,
  }))
}

type Word = { text: string; line: number }

function wordsIn(lines: string[]): Word[] {
  const words: Word[] = []
  for (const [line, text] of lines.entries()) {
    for (const [found] of text.toLowerCase().matchAll(word)) words.push({ text: found, line })
    if (words.length > mostWords) break
  }
  return words
}

const keyAt = (words: Word[], at: number) => {
  let key = ''
  for (let next = at; next < at + run; next++) key += `${words[next]!.text} `
  return key
}

const lineKey = (line: string) => (line.length > 200 ? '' : (line.toLowerCase().match(word) ?? []).join(' '))

/** Newer messages come first in `earlier`, and win. */
function placesOf(earlier: string[]) {
  const runs = new Map<string, WordPosition>()
  const sameLines = new Map<string, WordPosition>()
  for (const [message, text] of earlier.slice(0, 50).entries()) {
    const lines = text.split('\n')
    const words = wordsIn(lines)
    for (let at = 0; at < words.length; at++) {
      const place = { message, word: at }
      const key = at + run <= words.length ? keyAt(words, at) : ''
      if (key && !runs.has(key)) runs.set(key, place)
      const line = words[at]!.line !== words[at - 1]?.line ? lineKey(lines[words[at]!.line]!) : ''
      if (line.includes(' ') && !sameLines.has(line)) sameLines.set(line, place)
    }
  }
  return { runs, sameLines }
}
