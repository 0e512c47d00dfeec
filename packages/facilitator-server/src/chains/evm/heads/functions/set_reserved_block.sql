-- Records in a new settlement the newest known block of its chain. A payment that was not sent and is reserved again keeps its first block.
create or replace function facilitator.set_reserved_block() returns trigger language plpgsql as $$
begin
  select block_number into new.reserved_block from facilitator.chain_heads where network = new.network;
  return new;
end $$;

create or replace trigger reserved_block before insert on facilitator.settlements for each row
  execute function facilitator.set_reserved_block();
