import { AsyncLocalStorage } from 'node:async_hooks'

/** The actor of work that nobody else is named for. */
export const SERVER_ACTOR = 'server'

const actors = new AsyncLocalStorage<string>()

/**
 * Runs work as an actor: who or what makes its changes, such as `key:mk_…`, `person:7`, `job:orders` or
 * `command:orders resolve (kim)`. The pool binds each connection that the work borrows to the actor, by the
 * session setting `mintmark.actor`. Triggers read it.
 *
 * @example
 * await runAs('job:orders', () => verifier.run())
 */
export function runAs<Result>(actor: string, work: () => Result): Result {
  return actors.run(actor, work)
}

/** Returns the actor of the present work. Without one it is `server`. */
export function getActor(): string {
  return actors.getStore() ?? SERVER_ACTOR
}
