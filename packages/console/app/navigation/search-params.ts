/** The search parameters of an address: text only, as people read and share it. */
export type SearchParams = Readonly<Record<string, string>>

/** Parses the search of an address. */
export function parseSearch(search: string): SearchParams {
  return Object.fromEntries(new URLSearchParams(search))
}

/** Formats search parameters. Empty and undefined ones are left out. */
export function formatSearch(search: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

/** Selects the known parameters of an address. */
export function pickSearch<const Name extends string>(
  ...names: readonly Name[]
): (search: Readonly<Record<string, unknown>>) => { [Key in Name]?: string } {
  return (search) => {
    const entries = names.map((name) => [name, search[name]] as const)
    const known = entries.filter(([, value]) => typeof value === 'string' && value !== '')
    return Object.fromEntries(known) as { [Key in Name]?: string }
  }
}

/** Reads the number of a page, from 1; 1 for anything else. */
export function readPageNumber(text: string | undefined): number {
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 1
}

/** Reads a parameter that is one of several words. Undefined for anything else. */
export function readChoice<Word extends string>(
  text: string | undefined,
  choices: Readonly<Record<Word, unknown>>,
): Word | undefined {
  return text !== undefined && Object.hasOwn(choices, text) ? (text as Word) : undefined
}
