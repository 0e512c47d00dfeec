import type { Migration } from '@mintmark/server-kit'

/**
 * Keys of orders whose rows may have the same value, such as prices: the value and the id in one number.
 * Integers stay the same.
 */
export const segmentKeys: Migration = {
  id: '0129_segment_keys',
  up: `
    alter table gateway.list_segments alter column start type numeric;
    alter table gateway.list_segment_changes alter column key type numeric;
  `,
}
