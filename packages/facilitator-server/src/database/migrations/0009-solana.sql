-- The transactions of Solana that the built-in upstream signed, recorded before they are sent. A payment has
-- one: the payer signs the whole message, so that there is nothing to replace.

create table facilitator.svm_transactions (
  -- The fee payer's signature, which identifies the transaction on the chain.
  signature text primary key,
  network text not null,
  -- The hash of the message, as in settlements.
  nonce text not null,
  settlement_id bigint not null references facilitator.settlements,
  raw text not null,
  -- No block above this height can contain the transaction.
  last_valid_block_height numeric(20, 0) not null,
  -- A slot before the transaction was signed. A node without later blocks cannot prove that it is missing.
  signed_after_slot numeric(20, 0) not null,
  -- landed: in a block that is not final.
  state text not null default 'sent' check (state in ('sent', 'landed', 'final', 'expired')),
  created_at timestamptz not null default clock_timestamp(),
  checked_at timestamptz not null default clock_timestamp(),

  constraint svm_transactions_unique_payment unique (network, nonce)
);
-- what a settlement's transaction became
create index svm_transactions_by_settlement on facilitator.svm_transactions (settlement_id);
-- the sweep: transactions whose outcome is open
create index svm_transactions_open on facilitator.svm_transactions (network, checked_at) where state in ('sent', 'landed');
