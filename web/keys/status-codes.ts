type StatusCode = { status: number; meaning: string; todo: string }

/** What /api/v1 answers, and what the caller does then. */
export const statusCodes: StatusCode[] = [
  {
    status: 200,
    meaning: 'Success.',
    todo: 'With MCP, also check isError: a tool that failed says what to change.',
  },
  { status: 201, meaning: 'Created.', todo: 'Nothing. The body contains the new resource.' },
  { status: 202, meaning: 'A notification was accepted.', todo: 'Nothing. There is no body.' },
  {
    status: 400,
    meaning: 'The request cannot be read.',
    todo: 'Send valid JSON without unknown fields, to an address that Kith serves.',
  },
  {
    status: 401,
    meaning: 'The key is missing, mistyped or deleted.',
    todo: 'Send all 64 characters in x-api-key. If the key was deleted, create a new one.',
  },
  {
    status: 403,
    meaning: 'The key’s owner does not have permission, or the request came from another website.',
    todo: 'Ask an Admin for the permission, or send the request from a program instead of a web page.',
  },
  {
    status: 404,
    meaning: 'The path does not exist, or the key’s owner cannot access the resource.',
    todo: 'Check the path and the ID. For an unknown path, the response is HTML.',
  },
  {
    status: 405,
    meaning: 'The path does not support this method.',
    todo: 'Use a method from the Allow header. For MCP, use POST.',
  },
  {
    status: 406,
    meaning: 'The Accept header does not list both response types.',
    todo: 'Send Accept: application/json, text/event-stream.',
  },
  {
    status: 409,
    meaning: 'It conflicts with a newer change, or with another record.',
    todo: 'Read the current record, then try again. The detail says what conflicts.',
  },
  { status: 413, meaning: 'The body is too large.', todo: 'Split it into several requests.' },
  { status: 415, meaning: 'The body is not declared as JSON.', todo: 'Send Content-Type: application/json.' },
  {
    status: 422,
    meaning: 'Some values are invalid.',
    todo: 'Fix the fields listed under errors, then try again.',
  },
  { status: 429, meaning: 'Too many requests.', todo: 'Wait for the number of seconds in Retry-After.' },
]
