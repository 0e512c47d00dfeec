import type { Migration } from '@mintmark/server-kit'

/** Columns that the delivery of the server kit needs in the tables of every server. */
export const sharedWebhooks: Migration = {
  id: '0062_shared_webhooks',
  up: /* sql */ `
alter table facilitator.webhooks
  -- Sealed. Signs beside the secret until previous_secret_until.
  add column previous_secret text not null default '',
  add column previous_secret_until timestamptz,
  -- The most messages per second. Null: no limit.
  add column max_per_second integer,
  -- When the next message may be sent within the limit.
  add column next_slot_at timestamptz;

alter table facilitator.deliveries
  add column account_id bigint,
  -- The turn for which next_attempt_at was reserved within the limit of the webhook.
  add column slot_turn integer not null default 0,
  -- The newest attempts, oldest first.
  add column attempt_log jsonb not null default '[]';
update facilitator.deliveries d set account_id = w.account_id from facilitator.webhooks w where w.id = d.webhook_id;
alter table facilitator.deliveries alter column account_id set not null;
`,
}
