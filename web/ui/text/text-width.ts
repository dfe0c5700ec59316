// How wide a text is, near enough to choose the width of a column before anything is drawn.

/** In parts of the size of the font, a little more than Inter has. */
const parts: [RegExp, number][] = [
  [/[.,:;'’!|\sijl()[\]-]/u, 0.3],
  [/[ftr]/u, 0.4],
  [/[mwMW@%]/u, 0.93],
  [/[\p{Lu}\p{Nd}\p{Sc}]/u, 0.68],
  [/[\p{Lo}]/u, 1],
]
const usual = 0.59
const known = new Map<string, number>()

export const textWidth = (text: string, size = 14) =>
  Math.ceil([...text].reduce((sum, char) => sum + partOf(char), 0) * size)

function partOf(char: string) {
  const part = known.get(char) ?? parts.find(([chars]) => chars.test(char))?.[1] ?? usual
  known.set(char, part)
  return part
}
