/** Times for tests: as quick as the job queue lets them be, which looks for lost attempts once a second at most. */
export const quick = {
  allowPrivate: true,
  pollMs: 20,
  superviseSeconds: 1,
  timeoutMs: 800,
  expireSeconds: 1,
  retryAfterSeconds: [0.05, 0.1, 0.1],
}
