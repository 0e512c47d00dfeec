/**
 * Parses the stores of a card. `applicableStores` is an array in requests and a string in responses
 * (specification). Mintmark's servers return the JSON text of the array, other servers may return a
 * comma-separated list. This function parses both.
 *
 * @example parseApplicableStores(card) // ['Berlin', 'Hamburg']
 */
export function parseApplicableStores(card: { applicableStores: string }): string[] {
  const text = card.applicableStores.trim()
  if (text.startsWith('[')) {
    try {
      const stores: unknown = JSON.parse(text)
      if (Array.isArray(stores)) return stores.map(String)
    } catch {
      // The name of the first store begins with a bracket, so the text is a comma-separated list.
    }
  }
  return text
    .split(',')
    .map((store) => store.trim())
    .filter((store) => store !== '')
}
