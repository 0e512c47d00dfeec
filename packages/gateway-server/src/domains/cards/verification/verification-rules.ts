import type { Asked, Verification } from './verifications-store.ts'

/** Whether a nonce that comes again stands for what it stood for before. */
export function isSame(known: Verification, asked: Asked): boolean {
  return (['asked', 'action', 'store', 'verifier'] as const).every((field) => known[field] === asked[field])
}
