import * as z from 'zod'

// Default messages for validation errors, worded for people who have never heard of schemas.
z.config({
  customError: (issue) => {
    if (issue.code === 'invalid_type')
      return issue.input === undefined ? 'This is required' : `This must be ${kinds[issue.expected] ?? issue.expected}`
    if (issue.code === 'too_big')
      return issue.origin === 'string' ? `Use at most ${issue.maximum} characters` : `Use at most ${issue.maximum}`
    if (issue.code === 'too_small')
      return issue.origin === 'string' ? `Use at least ${issue.minimum} characters` : `Use at least ${issue.minimum}`
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

const formats: Record<string, string> = {
  uuid: 'Use an ID such as 0199c3a1-5d2e-7c41-9b7a-3f1f6e0d2a11',
  datetime: 'Use a date and time such as 2026-06-15T12:00:00Z',
  url: 'Use an address such as https://crm.example.com',
}
