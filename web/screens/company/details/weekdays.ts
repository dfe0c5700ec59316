import { weekdays } from '../../../../contract/company.ts'

export const nameOfWeekday = (day: (typeof weekdays)[number]) => day[0]!.toUpperCase() + day.slice(1)
export const weekdayChoices = weekdays.map((value) => ({ value, label: nameOfWeekday(value) }))
