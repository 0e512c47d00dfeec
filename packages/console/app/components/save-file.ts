/** Saves a text as a file on the device of the person. */
export function saveFile(name: string, type: string, content: string): void {
  const address = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser has read the address when the press returns, but some begin to load it later.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
