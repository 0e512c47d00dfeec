-- Limits a chain's balance to what gateway.assets stores: a broken contract can claim more than any uint256,
-- or less than 0.
create or replace function gateway.clamp_quantity(quantity numeric) returns numeric language sql immutable as $$
  select least(greatest(quantity, 0), 999999999999999999999999999999999999999999999999999999999999999999999999999999::numeric)
$$;
