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
