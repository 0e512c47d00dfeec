import { Role } from '@mintmark/admin'
import type { OperationShape } from '@mintmark/operation'

/** The scopes of the admin interface. The scope `*` of a key does not grant them; a key must name them. */
export const ADMIN_SCOPES: ReadonlySet<string> = new Set([
  'people:read',
  'people:write',
  'keys:read',
  'keys:write',
  'audit:read',
])

/** What staff do: they verify cards at the counter. */
const STAFF_SCOPES: ReadonlySet<string> = new Set(['cards:read', 'cards:verify'])

/** The scopes of a project that each role has. The rules of the operations apply in addition. */
const PERMISSIONS: Readonly<Record<Role, (scope: string) => boolean>> = {
  [Role.OWNER]: () => true,
  [Role.MANAGER]: (scope) => !ADMIN_SCOPES.has(scope),
  [Role.STAFF]: (scope) => STAFF_SCOPES.has(scope),
  [Role.AUDITOR]: (scope) => scope.endsWith(':read'),
}

/** Whether a role in a project grants a scope. */
export function grantsScope(role: Role, scope: string): boolean {
  return !isOperatorScope(scope) && PERMISSIONS[role](scope)
}

/** Whether a person with a role in a project may call an operation there. */
export function mayCall(role: Role, { scope }: OperationShape): boolean {
  return scope === undefined || grantsScope(role, scope)
}

/** Whether a text is the name of a role. */
export function isRole(text: string): text is Role {
  return Object.hasOwn(PERMISSIONS, text)
}

/** Whether a scope is one of operators of this server, which no role in a project grants. */
export function isOperatorScope(scope: string): boolean {
  return scope.startsWith('operator:')
}
