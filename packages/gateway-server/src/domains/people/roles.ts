import { Role } from '@mintmark/admin'
import { eventCards, membershipCards, promoCodeCards } from '@mintmark/cards'
import type { OperationShape } from '@mintmark/operation'

/** The scopes of the admin interface. The scope `*` of a key does not grant them; a key must name them. */
export const ADMIN_SCOPES: ReadonlySet<string> = new Set([
  'people:read',
  'people:write',
  'keys:read',
  'keys:write',
  'audit:read',
])

/** What staff may change: staff verify cards at the counter. */
const STAFF_WRITES: ReadonlySet<string> = new Set(
  [promoCodeCards, eventCards, membershipCards].map(({ createVerification }) => createVerification.id),
)

/** What each role may call of the operations of a project. The rules of the operations apply in addition. */
const PERMISSIONS: Readonly<Record<Role, (operation: OperationShape) => boolean>> = {
  [Role.OWNER]: () => true,
  [Role.MANAGER]: ({ scope = '' }) => !ADMIN_SCOPES.has(scope),
  [Role.STAFF]: ({ id, scope }) => scope === 'cards:read' || STAFF_WRITES.has(id),
  [Role.AUDITOR]: ({ effect }) => effect === 'read',
}

/** Whether a person with a role in a project may call an operation there. */
export function mayCall(role: Role, operation: OperationShape): boolean {
  return PERMISSIONS[role](operation)
}

/** Whether a text is the name of a role. */
export function isRole(text: string): text is Role {
  return Object.hasOwn(PERMISSIONS, text)
}

/** Whether a scope is one of operators of this server, which no role in a project grants. */
export function isOperatorScope(scope: string): boolean {
  return scope.startsWith('operator:')
}
