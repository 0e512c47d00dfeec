import type { Migration } from '@mintmark/server-kit'
import { tenant } from './tenant.ts'

/** A reported transaction is a claim of one order; several orders may claim the same transaction, and the chain decides for each. */
export const paymentClaims: Migration = {
  id: '0015_payment_claims',
  // Earlier programs insert reports with a conflict target that is gone, and change a report by its hash alone.
  contracts: true,
  up: `
    alter table gateway.order_payments
      drop constraint order_payments_pkey,
      add primary key (project_id, order_id, hash);
    drop index gateway.order_payments_order;
    create index order_payments_hash on gateway.order_payments (project_id, hash);

    -- the one order of a project that a transaction keeps UNRESOLVED with its stock reserved
    create table gateway.disputed_payments (
      project_id bigint not null,
      hash text not null,
      order_id bigint not null,
      primary key (project_id, hash),
      foreign key (project_id, order_id) references gateway.orders (project_id, id)
    );
    create index disputed_payments_order on gateway.disputed_payments (project_id, order_id);
    ${tenant('disputed_payments')}
  `,
}
