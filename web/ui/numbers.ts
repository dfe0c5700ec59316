type Language = string | undefined

const formatsFor = (language: Language) => ({
  read: new Intl.NumberFormat(language, { maximumSignificantDigits: 12 }),
  typed: new Intl.NumberFormat(language, {
    useGrouping: false,
    numberingSystem: 'latn',
    maximumSignificantDigits: 15,
  }),
})

let written: Language
let formats = formatsFor(written)

/** Numbers are written in the manner that somebody chose; before that, in that of the browser. */
export function writeNumbersFor(language: string) {
  if (language === written) return
  written = language
  formats = formatsFor(language)
}

export const asNumber = (number: number) => formats.read.format(number)
/** What stands between thousands. */
export const thousandsMark = () => formats.read.formatToParts(1_234_567).find(({ type }) => type === 'group')?.value
/** As one would type it: no separators but that of the decimals. */
export const asTyped = (number: number) => formats.typed.format(number)

/** Decimals stand behind a comma or a point, whatever the language. NaN for all else, such as 1,250.00. */
export function readNumber(typed: string) {
  const text = typed.trim()
  if (!text) return 0
  return /^(\d+|\d*[.,]\d+)$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN
}
