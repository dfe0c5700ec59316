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
