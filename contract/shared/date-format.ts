/**
 * The app is in English, so months and weekdays are named in English too, day first if another language would name them.
 * Dates in digits and the 12-hour or 24-hour clock follow the language.
 */
export function dateFormat(language: string | undefined, options: Intl.DateTimeFormatOptions) {
  const own = new Intl.DateTimeFormat(language, options)
  const { locale, hourCycle } = own.resolvedOptions()
  if (/^en\b/.test(locale) || !/\p{L}/u.test(own.format(0))) return own
  return new Intl.DateTimeFormat('en-GB', { ...options, ...(hourCycle && { hourCycle }) })
}
