/** By its mark; without one, UTF-8 if every byte is valid as such, and otherwise the old encoding of Windows. */
export function decodeText(content: Uint8Array): string {
  const [a, b] = content
  if (a === 0xff && b === 0xfe) return new TextDecoder('utf-16le').decode(content)
  if (a === 0xfe && b === 0xff) return new TextDecoder('utf-16be').decode(content)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    // It is not UTF-8.
    return new TextDecoder('windows-1252').decode(content)
  }
}
