/** Gives SQL texts the names under which connections prepare them. */
export interface StatementNames {
  /** The text's name, or undefined where it is to be sent without one. */
  nameOf(text: string, parameters: readonly unknown[]): string | undefined
  /** Gives a text another name: what connections prepared under this one is of no use any more. */
  renew(text: string, name: string): void
}

// Statements that can be prepared. A text of several statements cannot, and begin, commit and the like gain nothing.
const preparable = /^\s*(select|insert|update|delete|with)\b[^;]*$/i

/**
 * Begins the text of a statement that is not prepared. PostgreSQL plans it for the values of each call and for the sizes that the tables have by
 * then. The plan of a prepared statement may become generic after five calls: one that was made while a table was empty then stays until the table is
 * analyzed, however many rows it has meanwhile.
 */
export const PLANNED_EACH_TIME = '/* planned each time */'

/**
 * Names the first `limit` texts. Each connection keeps what it prepared for as long as it lives, so texts that are
 * made up anew without end (lists of varying length) must not all get a name.
 */
export function statementNames(limit: number): StatementNames {
  const names = new Map<string, string>()
  let count = 0
  const give = (text: string) => {
    count += 1
    const name = `m${count}`
    names.set(text, name)
    return name
  }
  return {
    nameOf(text, parameters) {
      if (text.startsWith(PLANNED_EACH_TIME)) return undefined
      const known = names.get(text)
      if (known !== undefined) return known
      if (names.size >= limit) return undefined
      return parameters.length > 0 || preparable.test(text) ? give(text) : undefined
    },
    renew(text, name) {
      // Several connections may find out at once: the first one decides.
      if (names.get(text) === name) give(text)
    },
  }
}
