-- Returns the data of a settlement's events.
create or replace function facilitator.settlement_event_data(p_settlement facilitator.settlements) returns jsonb
language sql immutable as $$
  select jsonb_build_object(
    'orderNo', p_settlement.order_no,
    'status', p_settlement.state,
    'payer', p_settlement.payer,
    'payTo', p_settlement.pay_to,
    'network', p_settlement.network,
    'asset', p_settlement.asset,
    'amount', p_settlement.amount::text,
    'transaction', coalesce(p_settlement.transaction, ''),
    'price', p_settlement.price::text,
    'charged', p_settlement.hold = 'captured',
    'reason', coalesce(p_settlement.reason, ''))
$$;
