import type { OperationShape } from '@mintmark/operation'

type Routed = Pick<OperationShape, 'id' | 'method' | 'path'>

const isParameter = (segment: string) => segment.startsWith('{')

/**
 * The order in which paths are tried: at the first segment in which two differ, the literal one comes before the parameter, so that
 * `/page` is never taken for an id.
 */
export function byRouting(a: Routed, b: Routed): number {
  const [own, others] = [a.path.split('/'), b.path.split('/')]
  for (const [at, segment] of own.entries()) {
    const other = others[at]
    if (other === undefined) break
    if (isParameter(segment) !== isParameter(other)) return isParameter(segment) ? 1 : -1
    if (segment !== other && !isParameter(segment)) return segment < other ? -1 : 1
  }
  return own.length - others.length
}

/**
 * Pairs of operations, by their ids, that a path exists for which both could mean: two of one pattern, or two of which each is the more
 * literal one in some place. A server must have none.
 */
export function ambiguousRoutes(operations: readonly Routed[]): (readonly [string, string])[] {
  return operations.flatMap((a, at) =>
    operations
      .slice(at + 1)
      .filter((b) => a.method === b.method && areAmbiguous(a.path.split('/'), b.path.split('/')))
      .map((b) => [a.id, b.id] as const),
  )
}

function areAmbiguous(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false
  let [literalInA, literalInB] = [false, false]
  for (const [at, segment] of a.entries()) {
    const other = b[at] ?? ''
    if (isParameter(segment) && isParameter(other)) continue
    if (isParameter(segment)) literalInB = true
    else if (isParameter(other)) literalInA = true
    else if (segment !== other) return false
  }
  return literalInA === literalInB
}
