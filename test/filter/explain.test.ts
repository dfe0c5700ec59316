import { expect, test } from 'vitest'
import { explain } from '../../contract/filter/index.ts'
import { read } from './given.ts'

test.each([
  ['', 'All records.'],
  ['status = active and score > 50', 'Status is active, and lead score is above 50.'],
  ['first_name = "Ada" or first_name ~ "b c"', 'Either first name is "Ada" or first name contains "b c".'],
  [
    'status in (active, former) and not (score <= 5 or score between 10 and 20)',
    'Status is active or former, and not (either lead score is at most 5 or lead score is between 10 and 20).',
  ],
  ['organization.country != DE', `Organization's country is not Germany.`],
  [
    'organization.country ~ DE or organization.country = Narnia',
    `Either organization's country contains "DE" or organization's country is "Narnia".`,
  ],
  ['owner = me and not owner is empty', 'Owner is me, and owner is not empty.'],
  [
    'last_activity_at < -14d and birthday in this_quarter',
    'Last activity at is before 14 days ago, and birthday is in this quarter.',
  ],
  [
    'created_at >= -1mo and created_at <= now',
    'Created at is not before 1 month ago, and created at is not after now.',
  ],
  ['birthday not in (last_7_days, 2026-06-15)', 'Birthday is not in the last 7 days or 2026-06-15.'],
  [
    'emails ends with "@acme.com" and phones !~ "30"',
    'One of emails ends with "@acme.com", and none of phones contains "30".',
  ],
  ['tags has all (vip, press)', 'Tags has all of vip and press.'],
  [
    'any(deals: status = won and amount > 5000) and none(tasks: status = open)',
    'It has deals where (status is won, and amount is above 5000), and it has no open tasks.',
  ],
  ['search("acme")', 'Its text contains "acme".'],
  ['quiet for 14d', 'It has had no activity for 14 days.'],
  [
    'not quiet for 1y and any(deals: quiet for 3mo)',
    'Not (it has had no activity for 1 year), and it has deals where it has had no activity for 3 months.',
  ],
  [
    'score = 1 and (score = 2 or score = 3 and score = 4)',
    'Lead score is 1, and (either lead score is 2 or (lead score is 3, and lead score is 4)).',
  ],
])('%s', (text, sentence) => expect(explain(read(text).checked)).toBe(sentence))

test('options go by their labels', () => {
  expect(explain(read('stage = closed_won', 'deals').checked)).toBe('Stage is Closed won.')
})
