/**
 * The stores of a card as a list. `applicableStores` is an array in requests and a string in answers (specification);
 * our servers answer the JSON text of the array, others may answer a text with commas. Both are read.
 *
 * @example applicableStoresOf(card) // ['Berlin', 'Hamburg']
 */
export function applicableStoresOf(card: { applicableStores: string }): string[] {
  const text = card.applicableStores.trim()
  if (text.startsWith('[')) {
    try {
      const stores: unknown = JSON.parse(text)
      if (Array.isArray(stores)) return stores.map(String)
    } catch {
      // A store's name may begin with a bracket: then the text is a list with commas after all.
    }
  }
  return text
    .split(',')
    .map((store) => store.trim())
    .filter((store) => store !== '')
}
