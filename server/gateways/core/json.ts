/** JSON from outside. PostgreSQL stores no NUL and no half characters. Throws if it is not JSON. */
export const readForeignJson = (body: Buffer): unknown =>
  JSON.parse(body.toString(), (_name, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value,
  )
