type Region = { language?: string; timeZone?: string }

const formatsFor = ({ language, timeZone }: Region) => ({
  second: new Intl.DateTimeFormat(language, {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZone,
  }),
  day: new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone }),
  minute: new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone }),
  time: new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone }),
  full: new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'long', timeZone }),
  relative: new Intl.RelativeTimeFormat('en', { numeric: 'auto' }),
})

let region: Region = {}
let formats = formatsFor(region)

/** Times are written in the zone and the manner that somebody chose; before that, in those of the browser. */
export function writeTimesFor(chosen: Region) {
  if (chosen.language === region.language && chosen.timeZone === region.timeZone) return
  region = chosen
  formats = formatsFor(chosen)
}

export const asSecond = (moment: string) => formats.second.format(new Date(moment))
export const asDay = (moment: string) => formats.day.format(new Date(moment))
export const asMinute = (moment: string) => formats.minute.format(new Date(moment))
export const asTime = (moment: string) => formats.time.format(new Date(moment))
export const asFull = (moment: string) => formats.full.format(new Date(moment))

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
  return unit ? formats.relative.format(-Math.floor(seconds / unit[1]), unit[0]) : asDay(moment)
}
