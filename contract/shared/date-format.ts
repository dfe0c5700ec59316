/** The words of the app are English, so those of its dates are, too: a month or weekday that would be named in another
 * language is named in English, day first. Dates in digits, and whether a clock has 12 or 24 hours, follow the language. */
export function dateFormat(language: string | undefined, options: Intl.DateTimeFormatOptions) {
  const own = new Intl.DateTimeFormat(language, options)
  const { locale, hourCycle } = own.resolvedOptions()
  if (/^en\b/.test(locale) || !/\p{L}/u.test(own.format(0))) return own
  return new Intl.DateTimeFormat('en-GB', { ...options, ...(hourCycle && { hourCycle }) })
}
