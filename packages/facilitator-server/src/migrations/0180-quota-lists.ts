import type { Migration } from '@mintmark/server-kit'

/** An index for the list of an account's quotas, which an account can make as long as it likes. */
export const quotaLists: Migration = {
  id: '0180_quota_lists',
  up: /* sql */ `
create index payer_quotas_by_account on facilitator.payer_quotas (account_id, id);
`,
}
