import { expect, test } from 'vitest'
import * as z from 'zod'
import '../../../contract/shared/validation-texts.ts'
import { check, errorUnder, watched, withField } from './errors.ts'

const rules = z.strictObject({ name: z.string().min(1), retry_minutes: z.array(z.int().min(1)) })

test('an error that no field shows is found, so that a form can say it', () => {
  const faults = check(rules, { name: '', retry_minutes: [1, Number.NaN] })
  const { errors, hidden } = watched(faults)
  expect(errors.name).toBe('Use at least 1 character')
  expect(errors['retry_minutes.0']).toBeUndefined()
  expect(hidden()).toEqual([['retry_minutes.1', 'This must be a number']])
  expect(hidden().map(withField)).toEqual(['Retry minutes: This must be a number'])
  expect(errors['retry_minutes.1']).toBe('This must be a number')
  expect(hidden()).toEqual([])
})

test('a part of a form that lists all errors shows them all', () => {
  const { errors, hidden } = watched({ 'rules.0.name': 'Enter a name', rules: 'Add a rule' })
  expect(Object.values(errors)).toHaveLength(2)
  expect(hidden()).toEqual([])
})

test('a field that shows what is wrong inside it hides no error of another field', () => {
  const { errors, hidden } = watched({ 'tags.2': 'Too long', 'tags_of_others.0': 'Unknown', subject: 'Too long' })
  expect(errorUnder(errors, 'tags')).toBe('Too long')
  expect(errorUnder(errors, 'owner')).toBeUndefined()
  expect(hidden().map(([path]) => path)).toEqual(['tags_of_others.0', 'subject'])
})
