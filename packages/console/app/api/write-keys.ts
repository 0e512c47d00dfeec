import { isMintmarkError } from '@mintmark/envelope'

/** The idempotency keys of the calls of one form. */
export interface WriteKeys {
  /** Returns the key of a call: that of the call before, if its input is the same and its outcome unknown. */
  take(input: unknown): string
  /**
   * Ends the call whose key was taken last.
   *
   * @param error What the call has thrown. Undefined if it has succeeded.
   */
  settle(error: unknown): void
}

/** Creates the keys of a form, so that sending it again until the outcome is known changes nothing twice. */
export function createWriteKeys(): WriteKeys {
  let pending: { readonly input: string; readonly key: string; readonly isRepeated: boolean } | undefined
  return {
    take(input) {
      const text = JSON.stringify(input)
      const isRepeated = pending?.input === text
      pending =
        pending !== undefined && isRepeated
          ? { ...pending, isRepeated }
          : { input: text, key: crypto.randomUUID(), isRepeated }
      return pending.key
    },
    settle(error) {
      if (isDecided(error, pending?.isRepeated === true)) pending = undefined
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
