type StatusCode = { status: number; meaning: string; todo: string }

/** What /api/v1 answers, and what the caller does then. */
export const statusCodes: StatusCode[] = [
  {
    status: 200,
    meaning: 'It worked.',
    todo: 'Over MCP, look at isError too: a tool that could not do its work says there what to change.',
  },
  { status: 201, meaning: 'It was made.', todo: 'Nothing. The body holds what was made.' },
  { status: 202, meaning: 'A notification was taken.', todo: 'Nothing. There is no body.' },
  {
    status: 400,
    meaning: 'The request cannot be read.',
    todo: 'Send valid JSON without unknown fields, to an address that Kith serves.',
  },
  {
    status: 401,
    meaning: 'The key is missing, mistyped or deleted.',
    todo: 'Send all 64 characters in x-api-key. If the key was deleted, make a new one.',
  },
  {
    status: 403,
    meaning: 'The owner of the key may not do this, or the call came from a foreign website.',
    todo: 'Ask an Admin for the right, or call from a program instead of a page.',
  },
  {
    status: 404,
    meaning: 'There is no such path, or no such thing that the owner may see.',
    todo: 'Check the path and the id. For an unknown path the answer is HTML.',
  },
  {
    status: 405,
    meaning: 'The path does not know this method.',
    todo: 'Use one of those in the Allow header; for MCP that is POST.',
  },
  {
    status: 406,
    meaning: 'Accept does not name both kinds of answer.',
    todo: 'Send Accept: application/json, text/event-stream.',
  },
  {
    status: 409,
    meaning: 'It conflicts with a newer change, or with another record.',
    todo: 'Read the current record, then try again. The detail says what conflicts.',
  },
  { status: 413, meaning: 'The body is too large.', todo: 'Send less at once, in several calls.' },
  { status: 415, meaning: 'The body is not declared as JSON.', todo: 'Send Content-Type: application/json.' },
  {
    status: 422,
    meaning: 'Some values are invalid.',
    todo: 'Correct the fields that are listed under errors, then send it again.',
  },
  { status: 429, meaning: 'Too many calls.', todo: 'Wait as many seconds as Retry-After says.' },
]
