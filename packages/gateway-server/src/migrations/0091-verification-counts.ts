import type { Migration } from '@mintmark/server-kit'

/**
 * How often a promo code card had been used after a verification, so that a till shows it without reading the
 * card.
 */
export const verificationCounts: Migration = {
  id: '0091_verification_counts',
  up: `
    alter table gateway.card_verifications
      add column used_count bigint not null default 0 check (used_count >= 0);
  `,
}
