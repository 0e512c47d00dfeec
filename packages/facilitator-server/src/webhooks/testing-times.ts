/** The shortest times for tests: the job queue searches for lost attempts at most once a second. */
export const quick = {
  allowPrivate: true,
  pollMs: 20,
  superviseSeconds: 1,
  timeoutMs: 800,
  expireSeconds: 1,
  retryAfterSeconds: [0.05, 0.1, 0.1],
}
