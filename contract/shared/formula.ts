// Spreadsheets run text in CSV that starts like a formula, so such text gets a leading apostrophe.

/** Text that has an apostrophe before such a start gets one as well, so that taking one away always restores it. */
const formula = /^'*[=+\-@\t\r\0]/

export const escapeFormula = (text: string) => (formula.test(text) ? `'${text}` : text)
/** Some products put a character without width in front of it instead. */
const joined = /^[\u200b-\u200d\u2060](?=[=+\-@\t\r])/
export const unescapeFormula = (text: string) =>
  text[0] === "'" && formula.test(text) ? text.slice(1) : text.replace(joined, '')
