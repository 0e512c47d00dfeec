import type { Migration } from '@mintmark/server-kit'

/** The sizes of documents, so that a page of the catalog is limited without reading them. */
export const catalogSizes: Migration = {
  id: '0185_catalog_sizes',
  up: /* sql */ `
alter table facilitator.catalog_entries add column document_bytes integer not null default 0;
update facilitator.catalog_entries e set document_bytes = octet_length(d.document::text)
  from facilitator.catalog_documents d where d.entry_id = e.id;
`,
}
