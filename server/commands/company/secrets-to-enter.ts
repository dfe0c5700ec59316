const mostListed = 30

/** An export has no secrets, so they are needed again where the company is imported. */
export function secretsToEnter(names: string[]) {
  if (!names.length) return []
  const listed = names.slice(0, mostListed).map((name) => `- ${name}`)
  const rest = names.length - listed.length
  return [
    'Secrets do not move. After the import, create or enter these again:',
    ...listed,
    ...(rest > 0 ? [`- and ${rest} more`] : []),
  ]
}
