import type { Migration } from '@mintmark/server-kit'

/**
 * A payment counts once per project. What a transaction paid beyond what is owed is recorded with its refund.
 */
export const paymentsPerProject: Migration = {
  id: '0020_payments_per_project',
  up: `
    alter table gateway.consumed_payments drop constraint consumed_payments_pkey;
    alter table gateway.consumed_payments add primary key (project_id, chain_id, hash);
    create index consumed_payments_transaction on gateway.consumed_payments (chain_id, hash, project_id);
    create index consumed_payments_time on gateway.consumed_payments (consumed_at);

    alter table gateway.order_payments
      -- what the final transaction moved from the buyer to the seller in the order's token, if that is known
      add column paid_amount numeric(78, 0) not null default 0 check (paid_amount >= 0),
      -- whether the seller owes a refund of it, or has paid that
      add column refund text not null default '' check (refund in ('', 'due', 'done')),
      add column refund_amount numeric(78, 0) not null default 0 check (refund_amount >= 0),
      -- the transaction that paid it back; '' for a refund in another way
      add column refund_hash text not null default '' check (octet_length(refund_hash) <= 66);
    create index orders_refund_due on gateway.orders (updated_at) where refund_due;
  `,
}
