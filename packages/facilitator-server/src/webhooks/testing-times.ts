/** The shortest times for tests: the job queue searches for lost attempts at most once a second. */
export const quick = {
  allowPrivate: true,
  pollMs: 20,
  superviseSeconds: 1,
  timeoutMs: 800,
  expireSeconds: 1,
  retryAfterSeconds: [0.05, 0.1, 0.1],
}

/**
 * For a process that is killed or works alone: it never takes an attempt in progress for lost or for failed.
 */
export const patient = { timeoutMs: 60_000, expireSeconds: 61, superviseSeconds: 3600 }
