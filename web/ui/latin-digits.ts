/** "١٬٢٥٠٫٥", "१,२५०.५" and "１，２５０．５" as 1,250.5, without the invisible marks of right-to-left text. */
export const withLatinDigits = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\p{Nd}/gu, digitOf)
    .replaceAll('٬', ',')
    .replaceAll('٫', '.')

/** In Unicode, the ten digits of a script follow each other and start at a code point that ends in 0 or 6. */
function digitOf(char: string) {
  const code = char.codePointAt(0)!
  const start = code - (code % 16)
  return String(/\p{Nd}/u.test(String.fromCodePoint(start)) ? code - start : code - start - 6)
}
