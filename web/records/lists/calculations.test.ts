import { expect, test } from 'vitest'
import { sumIn } from './calculations.ts'

test('a sum leaves out lost deals and says so, unless there are only lost ones', () => {
  const sums = (own: number, whole: number) =>
    sumIn({ 'sum_not_lost(amount)': own, 'sum(amount)': whole }, 'amount', 'sum_not_lost')
  expect(sums(120, 123)).toEqual({ value: 120, isWithoutLost: true })
  expect(sums(120, 120)).toEqual({ value: 120, isWithoutLost: false })
  expect(sums(0, 3), 'of the stage Lost').toEqual({ value: 3, isWithoutLost: false })
  expect(sumIn({ 'sum(amount)': 123 }, 'amount', 'sum')).toEqual({ value: 123, isWithoutLost: false })
})
