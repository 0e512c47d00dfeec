/** Assigns SQL texts the names under which connections prepare them. */
export interface StatementNames {
  /** Returns the name of a text, or undefined to send it unnamed. */
  getName(text: string, parameters: readonly unknown[]): string | undefined
  /** Assigns a text another name, because the prepared statements of this one are stale. */
  renew(text: string, name: string): void
}

/** Statements that can be prepared. Several statements cannot, and begin or commit would not benefit. */
const PREPARABLE = /^\s*(select|insert|update|delete|with)\b[^;]*$/i

/**
 * Prefix of statements that are not prepared. PostgreSQL plans them for the values and table sizes of each call. The plan of a prepared
 * statement may become generic after five calls, and one that was made while a table was empty stays until the table is analyzed.
 */
export const PLANNED_EACH_TIME = '/* planned each time */'

/**
 * Names the first `limit` texts. A connection keeps its prepared statements for its whole life, so an unlimited number of texts (lists of
 * varying length) must not be prepared.
 */
export function createStatementNames(limit: number): StatementNames {
  const names = new Map<string, string>()
  let count = 0
  const assignName = (text: string) => {
    count += 1
    const name = `m${count}`
    names.set(text, name)
    return name
  }
  return {
    getName(text, parameters) {
      if (text.startsWith(PLANNED_EACH_TIME)) return undefined
      const existing = names.get(text)
      if (existing !== undefined) return existing
      if (names.size >= limit) return undefined
      return parameters.length > 0 || PREPARABLE.test(text) ? assignName(text) : undefined
    },
    renew(text, name) {
      // Several connections may report the same stale statement: only the first one renames it.
      if (names.get(text) === name) assignName(text)
    },
  }
}
