import type { OperationShape } from '@mintmark/operation'

type RoutedOperation = Pick<OperationShape, 'id' | 'method' | 'path'>

const isParameter = (segment: string) => segment.startsWith('{')

/**
 * Compares two operations for the order in which their paths are matched. At the first different segment a
 * literal comes before a parameter, so that `/page` never matches as an id.
 */
export function compareRoutes(a: RoutedOperation, b: RoutedOperation): number {
  const segmentsOfA = a.path.split('/')
  const segmentsOfB = b.path.split('/')
  for (const [index, segment] of segmentsOfA.entries()) {
    const other = segmentsOfB[index]
    if (other === undefined) break
    if (isParameter(segment) !== isParameter(other)) return isParameter(segment) ? 1 : -1
    if (segment !== other && !isParameter(segment)) return segment < other ? -1 : 1
  }
  return segmentsOfA.length - segmentsOfB.length
}

/**
 * Finds pairs of operations, by their ids, whose paths can match the same request without an order between
 * them: both have the same pattern, or each has a literal where the other has a parameter. A server must not
 * have such pairs.
 */
export function findAmbiguousRoutes(operations: readonly RoutedOperation[]): (readonly [string, string])[] {
  return operations.flatMap((a, index) =>
    operations
      .slice(index + 1)
      .filter((b) => a.method === b.method && areAmbiguous(a.path.split('/'), b.path.split('/')))
      .map((b) => [a.id, b.id] as const),
  )
}

function areAmbiguous(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false
  let literalInA = false
  let literalInB = false
  for (const [index, segment] of a.entries()) {
    const other = b[index] ?? ''
    if (isParameter(segment) && isParameter(other)) continue
    if (isParameter(segment)) literalInB = true
    else if (isParameter(other)) literalInA = true
    else if (segment !== other) return false
  }
  return literalInA === literalInB
}
