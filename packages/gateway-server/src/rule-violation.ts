import type { DeclaredError } from '@mintmark/operation'

/**
 * A violated rule, by the reason that names it. It is thrown where the rule is known, so that the transaction
 * rolls back, and translated once into a declared error of the operation, by `refuseViolation`.
 */
export class RuleViolation extends Error {
  readonly reason: string
  /** For the caller, if this case needs a message of its own. */
  readonly detail: string | undefined

  constructor(reason: string, detail?: string) {
    super(detail ?? reason)
    this.name = 'RuleViolation'
    this.reason = reason
    this.detail = detail
  }
}

/** The declared error of an operation for a reason, with a message if the usual one does not fit. */
export type Refusal<Errors extends DeclaredError> = Errors | readonly [error: Errors, message: string]

/**
 * Translates the rule violations of a transaction:
 * `await transaction(…).catch(refuseViolation(REFUSALS, context))`. Rethrows other errors, and violations for
 * which there is no refusal.
 */
export function refuseViolation<Errors extends DeclaredError>(
  refusals: Readonly<Record<string, Refusal<Errors>>>,
  { refuse }: { refuse(error: Errors, message?: string): never },
): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof RuleViolation)) throw error
    const refusal = refusals[error.reason]
    if (refusal === undefined) throw error
    const [declared, message] = toPair(refusal)
    return refuse(declared, error.detail ?? message)
  }
}

type RefusalPair<Errors extends DeclaredError> = readonly [error: Errors, message: string | undefined]

function toPair<Errors extends DeclaredError>(refusal: Refusal<Errors>): RefusalPair<Errors> {
  return isPair(refusal) ? refusal : [refusal, undefined]
}

function isPair<Errors extends DeclaredError>(
  refusal: Refusal<Errors>,
): refusal is readonly [error: Errors, message: string] {
  return Array.isArray(refusal)
}
