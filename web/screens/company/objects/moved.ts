/** The same list with one of its items in another place. */
export function moved<Item>(items: Item[], from: number, to: number) {
  const rest = items.toSpliced(from, 1)
  return rest.toSpliced(to, 0, items[from]!)
}
