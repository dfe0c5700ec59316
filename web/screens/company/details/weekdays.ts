import { Company } from '../../../../contract/company.ts'
import type { Weekday } from '../../../../contract/filter/moments.ts'

export const nameOfWeekday = (day: Weekday) => day[0]!.toUpperCase() + day.slice(1)
export const weekdayChoices = Company.shape.first_weekday.options.map((value) => ({
  value,
  label: nameOfWeekday(value),
}))
