import type { Program } from './cards-store.ts'

/** The names of the programs in the API. */
export const PROGRAM_GROUPS = {
  promo_code: 'promoCodeCards',
  event: 'eventCards',
  commemorative: 'commemorativeCards',
  membership: 'membershipCards',
} as const satisfies Readonly<Record<Program, string>>
