import type { Migration } from '@mintmark/server-kit'

/** Who decided a mint signature that the chain left undecided, and why. Empty: nobody had to. */
export const mintResolutions: Migration = {
  id: '0060_mint_resolutions',
  up: `
    alter table gateway.mint_reservations
      add column resolved_by text not null default '' check (length(resolved_by) <= 200),
      add column resolution text not null default '' check (length(resolution) <= 2000);
  `,
}
