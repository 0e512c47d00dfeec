/** What payers of one chain are given for the gas of their approvals, in wei. */
export interface ApprovalLimits {
  /** The most for one wallet. */
  readonly perGrant: bigint
  /** The most for the payers of one account in a day (UTC), with the gas of the transfers. */
  readonly perDay: bigint
}

/** How many of the largest grants an account's payers receive in a day, if nothing else is set. */
const DEFAULT_GRANTS_PER_DAY = 20n

/** Returns the limits of a chain. Undefined if no approvals are sponsored there. */
export function createApprovalLimits(
  perGrant: bigint | undefined,
  perDay: bigint | undefined,
): ApprovalLimits | undefined {
  return perGrant === undefined
    ? undefined
    : { perGrant, perDay: perDay ?? perGrant * DEFAULT_GRANTS_PER_DAY }
}
