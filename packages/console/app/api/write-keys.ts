import { isMintmarkError } from '@mintmark/envelope'
import { createUnfinishedWrites, type UnfinishedWrite, type UnfinishedWrites } from './unfinished-writes.ts'

/** The idempotency keys of the calls of one form. */
export interface WriteKeys {
  /** Returns the key of a call: that of an earlier call, if its input is the same and its outcome unknown. */
  take(input: unknown): string
  /**
   * Ends the call whose key was taken last.
   *
   * @param error What the call has thrown. Undefined if it has succeeded.
   */
  settle(error: unknown): void
}

/**
 * Creates the keys of a form, so that sending it again until the outcome is known changes nothing twice.
 *
 * @param unfinished The calls of the same operation that other forms have sent, such as the same dialog before
 *   it was closed. Default: none.
 */
export function createWriteKeys(unfinished: UnfinishedWrites = createUnfinishedWrites()): WriteKeys {
  // Kept here too: a closed form whose call succeeds removes it from `unfinished`, but this form has not
  // learned the outcome.
  let pending: (UnfinishedWrite & { readonly isRepeated: boolean }) | undefined
  return {
    take(input) {
      const isSame = JSON.stringify(pending?.input) === JSON.stringify(input)
      const earlier = isSame ? pending : unfinished.find(input)
      const key = earlier?.key ?? crypto.randomUUID()
      const state = earlier?.state === 'inDoubt' ? 'inDoubt' : 'running'
      pending = { input, key, state, isRepeated: earlier !== undefined }
      unfinished.put({ input, key, state })
      return key
    },
    settle(error) {
      if (pending === undefined) return
      const { input, key, isRepeated } = pending
      if (isDecided(error, isRepeated)) {
        pending = undefined
        unfinished.remove(key)
      } else if (pending.state === 'running') {
        const state = leavesDoubt(error) ? 'inDoubt' : 'refused'
        pending = { ...pending, state }
        unfinished.put({ input, key, state })
      }
    },
  }
}

/**
 * Whether the outcome of a call is known: a success, or the refusal that the server stores under its key. Other
 * errors say nothing about an earlier attempt with the key. After an unexpected response, nobody knows what the
 * server did.
 */
function isDecided(error: unknown, isRepeated: boolean): boolean {
  if (!isMintmarkError(error)) return true
  switch (error.kind) {
    case 'InvalidInput':
    case 'NotFound':
    case 'InsufficientBalance':
    case 'Refused':
      return true
    case 'Forbidden':
      // Without a rule, the role does not allow the call.
      return error.reason !== undefined
    case 'Conflict':
      // The first attempt may still be in progress.
      return !isRepeated
    default:
      return false
  }
}

/** Whether the server may have done what the failed call requested. */
function leavesDoubt(error: unknown): boolean {
  return isMintmarkError(error) && ['UnknownOutcome', 'UnexpectedResponse'].includes(error.kind)
}
