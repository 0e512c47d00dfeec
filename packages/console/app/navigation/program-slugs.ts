/** The card programs in addresses. */
export const programSlugs = {
  promoCodeCards: 'promo-code',
  eventCards: 'event',
  membershipCards: 'membership',
  commemorativeCards: 'commemorative',
} as const
