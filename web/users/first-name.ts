/** "Karla" of "Dr. Karla Brandt". A name in one word is used whole. */
export const firstName = (name: string) =>
  name
    .trim()
    .split(/\s+/)
    .find((word) => !word.endsWith('.')) ?? name
