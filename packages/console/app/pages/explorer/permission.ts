import { type ProjectMembership, Role } from '@mintmark/admin'
import type { OperationShape } from '@mintmark/operation'

interface Caller {
  readonly role: ProjectMembership['role'] | undefined
  readonly isOperator: boolean
}

/** The scopes that managers lack begin with these words. */
const OWNER_SCOPES = /^(people|keys|audit):/

/** What staff do: they verify cards. */
const STAFF_SCOPES: readonly string[] = ['cards:read', 'cards:verify']

/** Whether only operators of the server may call an operation, which then belongs to no project. */
export function isOfOperators({ scope = '' }: Pick<OperationShape, 'scope'>): boolean {
  return scope.startsWith('operator:')
}

/**
 * Whether the server would accept a call of an operation. It decides itself; the explorer only does not send
 * what would be refused.
 */
export function mayCallOperation(
  operation: Pick<OperationShape, 'scope' | 'effect'>,
  { role, isOperator }: Caller,
): boolean {
  if (isOfOperators(operation)) return isOperator
  const { scope = '', effect } = operation
  switch (role) {
    case Role.OWNER:
      return true
    case Role.MANAGER:
      return !OWNER_SCOPES.test(scope)
    case Role.AUDITOR:
      return effect === 'read'
    default:
      return STAFF_SCOPES.includes(scope)
  }
}
