/** Downloads what the page has made. */
export function saveFile(name: string, content: Blob) {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // A browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
