import type { Migration } from '@mintmark/server-kit'

/**
 * Trigram indexes of the columns that keywords are compared with. The functions `search_*` read them. Their
 * other columns are expressions, so that no other index serves the conditions of these functions, whatever
 * the statistics say.
 *
 * `pg_trgm` and `btree_gin` are trusted extensions: the owner of the database can create them. An existing
 * extension may be in any schema.
 */
export const keywordIndexes: Migration = {
  id: '0041_keyword_indexes',
  up: `
    create extension if not exists pg_trgm with schema gateway;
    create extension if not exists btree_gin with schema gateway;
    create index follows_by_id on gateway.follows (project_id, address, id) where following;
    do $$
    declare
      trigrams text;
      keyword record;
    begin
      select format('%I.gin_trgm_ops', nspname) into trigrams
      from pg_extension e join pg_namespace n on n.oid = e.extnamespace where extname = 'pg_trgm';
      for keyword in values
        ('cards', $c$(program || ''), name$c$),
        ('address_book', $c$(owner || ''), (name || e'\\n' || remark || e'\\n' || address)$c$),
        ('contracts', $c$(name || e'\\n' || symbol || e'\\n' || nft_address)$c$),
        ('nfts', $c$(name || e'\\n' || description || e'\\n' || nft_id)$c$)
      loop
        execute format('create index %s_keyword on gateway.%1$s using gin ((project_id + 0), %s %s) with (gin_pending_list_limit = 512)',
          keyword.column1, keyword.column2, trigrams);
      end loop;
    end $$`,
}
