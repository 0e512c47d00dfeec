import type { OperationShape } from '@mintmark/operation'
import * as mintmark from 'mintmark'

function isOperation(value: unknown): value is OperationShape {
  return typeof value === 'function' && 'path' in value && 'service' in value
}

/**
 * Whether an operation changes who has access to a project, or belongs to a person with a session. Agents
 * cannot call these, whatever is allowed: an agent that is misled could give itself, or others, further
 * permissions.
 */
function isReservedForPeople({ path, effect, scope }: OperationShape): boolean {
  return path.startsWith('/admin/') && (effect === 'write' || scope === undefined)
}

/**
 * The operations that `mintmark` exports, by id. Streams are left out, because the result of a tool has an
 * end: `events.list` reads the same events. So are the writes of the admin interface.
 */
export const operations: ReadonlyMap<string, OperationShape> = new Map(
  Object.values(mintmark)
    .flatMap((group) => (typeof group === 'object' && group !== null ? Object.values(group) : []))
    .filter(isOperation)
    .filter((operation) => operation.result !== 'event-stream' && !isReservedForPeople(operation))
    .map((operation) => [operation.id, operation]),
)

/** Returns the group of an operation, such as `promoCodeCards`. */
export function getGroup({ id }: OperationShape): string {
  return id.split('.')[0] ?? id
}

/**
 * Returns the area of an operation, such as `cards`: the first part of its scope. Public operations belong to
 * no area.
 */
export function getArea({ scope }: OperationShape): string | undefined {
  return scope?.split(':')[0]
}
