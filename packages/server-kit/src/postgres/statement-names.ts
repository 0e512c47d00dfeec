/** Assigns SQL texts the names under which connections prepare them. */
export interface StatementNames {
  /** Returns the name of a text that a project uses, or undefined to send it unnamed. */
  getName(project: string, text: string, parameters: readonly unknown[]): string | undefined
  /** Assigns a text another name, because the prepared statements of this one are stale. */
  renew(text: string, name: string): void
}

/** Statements that can be prepared. Several statements cannot, and begin or commit would not benefit. */
const PREPARABLE = /^\s*(select|insert|update|delete|with)\b[^;]*$/i

/**
 * Prefix of statements of lists that are not prepared. PostgreSQL plans them for the values and table
 * sizes of each call, and reads rows in the order of an index (see `Connection`). The plan of a prepared
 * statement may become generic after five calls, and one that was made while a table was empty stays until
 * the table is analyzed.
 */
export const PLANNED_EACH_TIME = '/* planned each time */'

/** Whether a statement is planned each time. */
export const isPlannedEachTime = (text: string): boolean => text.startsWith(PLANNED_EACH_TIME)

/**
 * A list of at least five parameters, or an insert of at least three rows: the text depends on how many
 * values a caller passes.
 */
const VARIABLE_LENGTH = /\bin \(\$\d+(?:, \$\d+){4,}\)|^\s*insert\b[\s\S]*\), \([\s\S]*\), \(/

/**
 * The project of connections without one, and their value of `mintmark.project`. Their texts are those of the
 * program, so they have no share.
 */
export const NO_PROJECT = ''

/**
 * Names texts, at most `limit`, and of those that one project was the first to use at most `share` and at
 * most as many as are left. A connection keeps its prepared statements for its whole life, so an unlimited
 * number of texts must not be prepared, and no project may use up the names of the others: the text of an
 * update depends on the fields that its caller changes. Texts of variable length have no name.
 */
export function createStatementNames({
  limit,
  share,
}: {
  readonly limit: number
  readonly share: number
}): StatementNames {
  const names = new Map<string, string>()
  const shares = new Map<string, number>()
  let count = 0
  const assignName = (text: string) => {
    count += 1
    const name = `m${count}`
    names.set(text, name)
    return name
  }
  const takeShare = (project: string): boolean => {
    if (project === NO_PROJECT) return true
    const used = shares.get(project) ?? 0
    // Each greedy project leaves at least half of what the ones before it have left, however many there are.
    if (used >= Math.min(share, limit - names.size)) return false
    shares.set(project, used + 1)
    return true
  }
  return {
    getName(project, text, parameters) {
      if (isPlannedEachTime(text)) return undefined
      const existing = names.get(text)
      if (existing !== undefined) return existing
      if (names.size >= limit || VARIABLE_LENGTH.test(text)) return undefined
      if (parameters.length === 0 && !PREPARABLE.test(text)) return undefined
      return takeShare(project) ? assignName(text) : undefined
    },
    renew(text, name) {
      // Several connections may report the same stale statement: only the first one renames it.
      if (names.get(text) === name) assignName(text)
    },
  }
}
