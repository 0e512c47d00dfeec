import type { Migration } from '@mintmark/server-kit'

/** Names the units of an asset that are reserved as the rest of the schema does. */
export const reservedUnits: Migration = {
  id: '0092_reserved_units',
  up: `
    alter table gateway.assets rename column held to reserved;
    alter table gateway.assets rename constraint assets_held_within_quantity to assets_reserved_within_quantity;
  `,
}
