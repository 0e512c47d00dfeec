import { SCOPE_NOT_HELD } from '@mintmark/admin'
import { type Refuse, refusal } from '@mintmark/server-kit'
import type { GatewayContext } from '../../http/context.ts'

type WithScopeErrors = GatewayContext & Refuse

/** Refuses scopes of a new key that are not among the valid ones, and those that its creator lacks. */
export function checkScopes(
  scopes: readonly string[],
  valid: ReadonlySet<string>,
  context: WithScopeErrors,
): void {
  const unknown = scopes.findIndex((scope) => !valid.has(scope))
  if (unknown >= 0) context.invalid(`scopes.${unknown}`, `Expected one of ${[...valid].join(', ')}`)
  if (scopes.length === 0) context.invalid('scopes', 'Expected at least one scope')
  checkHeldScopes(scopes, context)
}

/** Refuses a key that may do what its creator may not. */
export function checkHeldScopes(scopes: readonly string[], { caller }: WithScopeErrors): void {
  const missing = scopes.find((scope) => !caller.holdsScope(scope))
  if (missing !== undefined) throw refusal(SCOPE_NOT_HELD, `You lack the scope ${missing}`)
}
