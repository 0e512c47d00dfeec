import type { Migration } from '@mintmark/server-kit'

/** Expired mint signatures of which no node proves whether they were used. */
export const undecidedMints: Migration = {
  id: '0016_undecided_mints',
  up: `
    alter table gateway.mint_reservations
      -- the last block that was read by its hash for this mint, once the signature has expired; 0 for none
      add column proven_to bigint not null default 0,
      -- how often the chain left open whether the expired signature was used
      add column undecided_attempts integer not null default 0;
    create index mint_reservations_undecided on gateway.mint_reservations (collection_id)
      where status = 'SIGNED' and undecided_attempts > 0;

    -- how many expired signatures of all projects are not decided, by chain
    create function gateway.undecided_mints()
    returns table (chain_id text, count bigint)
    language sql stable security definer set search_path = pg_catalog, pg_temp as $$
      select k.chain_id, count(*) from gateway.mint_reservations r
      join gateway.mint_collections c on c.project_id = r.project_id and c.id = r.collection_id
      join gateway.contracts k on k.project_id = c.project_id and k.id = c.contract_id
      where r.status = 'SIGNED' and r.undecided_attempts > 0
      group by k.chain_id
    $$;
    revoke all on function gateway.undecided_mints() from public;
    grant execute on function gateway.undecided_mints() to mintmark_gateway;
  `,
}
