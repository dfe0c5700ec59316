const second = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })

export const asSecond = (moment: string) => second.format(new Date(moment))
export const asDay = (moment: string) => day.format(new Date(moment))
export const asFull = (moment: string) => full.format(new Date(moment))

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })
const units = [
  ['minute', 60, 60],
  ['hour', 3600, 24],
  ['day', 86_400, 30],
] as const

/** "5 minutes ago"; after a month, the day. */
export function asAgo(moment: string, now = Date.now()) {
  const seconds = (now - Date.parse(moment)) / 1000
  if (seconds < 60) return 'just now'
  const unit = units.find(([, length, most]) => seconds < length * most)
  return unit ? relative.format(-Math.floor(seconds / unit[1]), unit[0]) : asDay(moment)
}
