import type { OperationShape } from '@mintmark/operation'
import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
import { getArea, getGroup, operations } from './catalog/operations.ts'
import { SettingsError } from './settings-error.ts'

function matchesPattern({ id }: OperationShape, pattern: string): boolean {
  if (pattern === '*') return true
  return pattern.endsWith('.*') ? id.startsWith(pattern.slice(0, -1)) : id === pattern
}

/**
 * Returns the ids of the writes that the patterns allow. A pattern is `orders.preOrder`, `orders.*` or `*`.
 *
 * @throws SettingsError for a pattern that matches no write.
 */
export function findAllowedWrites(patterns: readonly string[]): ReadonlySet<string> {
  const writes = [...operations.values()].filter(({ effect }) => effect === 'write')
  const allowed = new Set<string>()
  for (const pattern of patterns) {
    const matches = writes.filter((operation) => matchesPattern(operation, pattern))
    if (matches.length === 0) {
      throw new SettingsError(
        `--allow ${pattern} matches no write. Pass ids such as promoCodeCards.create, groups such as orders.*, or *`,
      )
    }
    for (const { id } of matches) allowed.add(id)
  }
  return allowed
}

/**
 * Returns the operations of groups such as `promoCodeCards`, and of areas such as `cards`.
 *
 * @throws SettingsError for a name that is neither.
 */
export function findGroupOperations(names: readonly string[]): readonly OperationShape[] {
  const all = [...operations.values()]
  const matches = (operation: OperationShape, name: string) =>
    getGroup(operation) === name || getArea(operation) === name
  for (const name of names) {
    if (all.some((operation) => matches(operation, name))) continue
    const areas = new Set(all.map(getArea).filter((area) => area !== undefined))
    throw new SettingsError(
      `--groups ${name} is no group. Pass groups such as promoCodeCards, or areas: ${[...areas].sort().join(', ')}`,
    )
  }
  return all.filter((operation) => names.some((name) => matches(operation, name)))
}

/** Names of writes whose effect a later call can change or end, such as `update` and `takeOffShelf`. */
const REVERSIBLE_NAME =
  /^(?:add|configure|create|edit|import|put|readAll|redeliver|sendTest|takeOffShelf|update)/
/** Their names begin like those of reversible writes, but they redeem or check in. */
const IRREVERSIBLE_NAME = /^createVerification$/

/**
 * Whether an operation has an effect that no later call can undo. Unknown names of writes count as
 * irreversible.
 */
export function isIrreversible({ id, effect, method }: OperationShape): boolean {
  if (effect === 'read') return false
  if (method === 'DELETE') return true
  const name = id.slice(id.indexOf('.') + 1)
  return IRREVERSIBLE_NAME.test(name) || !REVERSIBLE_NAME.test(name)
}

/** Returns what clients show of an operation. A repeated write of the same intent has no second effect. */
export function toAnnotations(operation: OperationShape): ToolAnnotations {
  const isRead = operation.effect === 'read'
  return {
    readOnlyHint: isRead,
    destructiveHint: isIrreversible(operation),
    idempotentHint: true,
    openWorldHint: true,
  }
}
