import { timeLanguage } from './moments.ts'

/** Whether the user's language writes times with AM and PM. */
export const isHalfDay = () =>
  new Intl.DateTimeFormat(timeLanguage(), { hour: 'numeric' }).resolvedOptions().hour12 ?? false

/** "9", "9:30", "0930" and "9.30" as 09:30. Undefined for what is not a time. */
export function readTime(typed: string): string | undefined {
  const [, hours = '', minutes = '00'] = /^(\d{1,2})(?:[:.h]?(\d{2}))?$/.exec(typed.trim()) ?? []
  if (!hours || Number(hours) > 23 || Number(minutes) > 59) return undefined
  return `${hours.padStart(2, '0')}:${minutes}`
}
