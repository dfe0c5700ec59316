/** The smallest id that can be made at this time, because our ids begin with their time. */
export function firstIdAt(at: Date) {
  const hex = at.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

/** Before every other one, for reading all in steps. */
export const smallestId = '00000000-0000-0000-0000-000000000000'
