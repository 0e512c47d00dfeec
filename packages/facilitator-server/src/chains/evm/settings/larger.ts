/** Returns the larger one. `Math.max` takes no bigint. */
export const larger = (left: bigint, right: bigint): bigint => (left > right ? left : right)
