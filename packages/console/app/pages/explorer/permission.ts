import { type ProjectMembership, Role } from '@mintmark/admin'
import type { OperationShape } from '@mintmark/operation'

interface Caller {
  readonly role: ProjectMembership['role'] | undefined
  readonly isOperator: boolean
}

/** The scopes that managers lack begin with these words. */
const OWNER_SCOPES = /^(people|keys|audit):/

/**
 * Whether the server would accept a call of an operation. It decides itself; the explorer only does not send
 * what would be refused.
 */
export function mayCallOperation(
  { scope = '', effect }: Pick<OperationShape, 'scope' | 'effect'>,
  { role, isOperator }: Caller,
): boolean {
  if (scope.startsWith('operator:')) return isOperator
  switch (role) {
    case Role.OWNER:
      return true
    case Role.MANAGER:
      return !OWNER_SCOPES.test(scope)
    case Role.AUDITOR:
      return effect === 'read'
    default:
      return scope === 'cards:read'
  }
}
