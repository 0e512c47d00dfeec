/** Finds the option of a list that a key leads to. Undefined for a key that leads to none. */
export function findOptionByKey(ids: readonly string[], focused: string, key: string): string | undefined {
  const index = ids.indexOf(focused)
  switch (key) {
    case 'ArrowDown':
      return ids[Math.min(index + 1, ids.length - 1)]
    case 'ArrowUp':
      return ids[Math.max(index - 1, 0)]
    case 'Home':
      return ids[0]
    case 'End':
      return ids.at(-1)
    default:
      return undefined
  }
}

/** Finds the option that begins with a typed text, from the focused one on and then from the first one. A single letter leads to the next option that begins with it. */
export function findOptionByText(ids: readonly string[], focused: string, text: string): string | undefined {
  const start = Math.max(0, ids.indexOf(focused)) + (text.length === 1 ? 1 : 0)
  const inOrder = [...ids.slice(start), ...ids.slice(0, start)]
  return inOrder.find((id) => id.toLowerCase().startsWith(text.toLowerCase()))
}
