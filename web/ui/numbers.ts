type Language = string | undefined

const formatsFor = (language: Language) => ({
  read: new Intl.NumberFormat(language, { maximumSignificantDigits: 12 }),
  typed: new Intl.NumberFormat(language, {
    useGrouping: false,
    numberingSystem: 'latn',
    maximumSignificantDigits: 15,
  }),
  marks: new Map(
    new Intl.NumberFormat(language, { numberingSystem: 'latn' })
      .formatToParts(1_234_567.5)
      .map(({ type, value }) => [type, value]),
  ),
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
export const thousandsMark = () => formats.marks.get('group')
/** As people type it: no separators but that of the decimals. */
export const asTyped = (number: number) => formats.typed.format(number)
/** The same for a decimal that is kept as text, such as an amount of money. Other text stays as it is. */
export const asTypedDecimal = (text: string) =>
  /^-?\d+\.\d+$/.test(text) ? text.replace('.', formats.marks.get('decimal') ?? '.') : text
