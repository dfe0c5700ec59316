/** The next step of a heading: ascending, descending, not at all. Added: behind the others, else alone. */
export function nextSort(sort: string[], key: string, isAdded: boolean): string[] {
  const now = sort.find((one) => one.replace(/^-/, '') === key)
  const next = now === undefined ? key : now.startsWith('-') ? undefined : `-${key}`
  if (!isAdded) return next === undefined ? [] : [next]
  if (now === undefined) return [...sort, key].slice(0, mostSorts)
  return sort.flatMap((one) => (one === now ? (next ?? []) : [one]))
}

const mostSorts = 5

export function sortOf(sort: string[], key: string) {
  const place = sort.findIndex((one) => one.replace(/^-/, '') === key)
  if (place < 0) return undefined
  return { isDescending: sort[place]!.startsWith('-'), place: sort.length > 1 ? place + 1 : undefined }
}
