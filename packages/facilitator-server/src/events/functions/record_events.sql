-- Records events and adds the deliveries of those whose account has an enabled webhook, all in the caller's
-- transaction. The arrays have one element per event. The events of a subject are numbered from 1, in the
-- order of the arrays. The caller holds the lock of the subject's row. Without p_enqueue, no deliveries are
-- added. Returns the ids of the events, in order.
create or replace function facilitator.record_events(p_subjects text[], p_types text[], p_accounts bigint[], p_data jsonb[],
  p_enqueue jsonb) returns bigint[]
language plpgsql set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off
set plan_cache_mode to force_generic_plan as $$
declare
  event_ids bigint[];
  deliverable bigint[];
  deliverable_types text[];
  owners bigint[];
begin
  with inserted as (
    insert into facilitator.events as e (subject, sequence, type, account_id, data)
    select each.subject,
      coalesce((select max(earlier.sequence) from facilitator.events earlier where earlier.subject = each.subject), 0)
        + row_number() over (partition by each.subject order by each.position),
      each.type, each.account_id, each.data
    from unnest(p_subjects, p_types, p_accounts, p_data) with ordinality as each (subject, type, account_id, data, position)
    order by each.position
    returning e.id, e.account_id, e.type
  ), subscribed as (
    select w.account_id from facilitator.webhooks w
    where w.account_id = any (p_accounts) and w.status = 'ENABLED' and p_enqueue is not null
  )
  select array_agg(i.id order by i.id),
    array_agg(i.id order by i.id) filter (where i.account_id = any (array(select s.account_id from subscribed s))),
    array_agg(i.type order by i.id) filter (where i.account_id = any (array(select s.account_id from subscribed s))),
    array_agg(i.account_id order by i.id) filter (where i.account_id = any (array(select s.account_id from subscribed s)))
    into event_ids, deliverable, deliverable_types, owners from inserted i;
  if deliverable is not null then
    perform facilitator.add_deliveries(owners, deliverable, deliverable_types, p_enqueue);
  end if;
  return event_ids;
end $$;
