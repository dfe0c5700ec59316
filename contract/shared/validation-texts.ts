import * as z from 'zod'

// Default messages for validation errors, in everyday language.
z.config({
  customError: (issue) => {
    if (issue.code === 'invalid_type')
      return issue.input === undefined ? 'This is required' : `This must be ${kinds[issue.expected] ?? issue.expected}`
    if (issue.code === 'too_big') return `Use at most ${amount(issue.maximum, issue.origin)}`
    if (issue.code === 'too_small') return `Use at least ${amount(issue.minimum, issue.origin)}`
    if (issue.code === 'invalid_value') return `Use one of: ${issue.values.join(', ')}`
    if (issue.code === 'invalid_format') return formats[issue.format]
    return undefined
  },
})

const kinds: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  nan: 'a number',
}

function amount(count: number | bigint, origin: string) {
  const unit = units[origin]
  return unit ? `${count} ${unit}${Number(count) === 1 ? '' : 's'}` : String(count)
}

const units: Record<string, string> = { string: 'character', array: 'item' }

const formats: Record<string, string> = {
  uuid: 'Use an ID such as 0199c3a1-5d2e-7c41-9b7a-3f1f6e0d2a11',
  datetime: 'Use a date and time such as 2026-06-15T12:00:00Z',
  url: 'Use a URL such as https://crm.example.com',
}
