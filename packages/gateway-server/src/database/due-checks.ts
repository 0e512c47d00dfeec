/** A row of a project that is due to be checked. */
export interface DueRow {
  readonly project: number
  readonly id: number
}

export interface ClaimRequest {
  /** The most rows to claim, at least 1. */
  readonly count: number
  /** Projects after this one come first. */
  readonly afterProject: number
  /** Projects that get nothing, because their earlier claim is still being checked. */
  readonly busyProjects: readonly number[]
}

/** How rows that are due are claimed and checked. */
export interface DueChecks {
  /** Claims rows that are due, with an equal share for each project. */
  claim(request: ClaimRequest): Promise<readonly DueRow[]>
  /** Checks a claimed row. Never rejects. */
  check(row: DueRow): Promise<void>
}

/** Rows that one process checks concurrently. */
const CONCURRENCY = 20

/**
 * Creates a function that checks all rows that are due, of all projects. While a project's rows are being
 * checked, it claims no others, and those that are free are for the other projects: neither many rows of one
 * project nor slow checks delay the rest. Ends when a claim has found fewer rows than it could check.
 */
export function createDueChecks({ claim, check }: DueChecks): () => Promise<void> {
  let afterProject = 0
  return async () => {
    const running = new Map<number, Promise<void>>()
    let free = CONCURRENCY
    try {
      for (;;) {
        const count = free
        const rows = await claim({ count, afterProject, busyProjects: [...running.keys()] })
        afterProject = rows.at(-1)?.project ?? afterProject
        for (const [project, own] of Map.groupBy(rows, (row) => row.project)) {
          free -= own.length
          const checks = Promise.all(own.map(check)).then(() => {
            free += own.length
            running.delete(project)
          })
          running.set(project, checks)
        }
        if (rows.length < count) return
        await Promise.race(running.values())
      }
    } finally {
      await Promise.all(running.values())
    }
  }
}
