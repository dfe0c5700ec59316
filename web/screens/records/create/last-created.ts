const place = 'kith.create'

/** The kind of record that somebody chose last, kept in this browser. */
export function lastCreated() {
  try {
    return localStorage.getItem(place) ?? undefined
  } catch {
    return undefined
  }
}

export function rememberCreated(object: string) {
  try {
    localStorage.setItem(place, object)
  } catch {
    // A browser that keeps nothing begins with the first kind.
  }
}
