-- Records events, an array of { subject, type, account, data }, and adds the deliveries of those whose account has an enabled
-- webhook, all in the caller's transaction. The events of a subject are numbered from 1, in the order of the array. The caller
-- holds the lock of the subject's row. Without p_enqueue, no deliveries are added.
create or replace function facilitator.record_events(p_events jsonb, p_enqueue jsonb) returns setof facilitator.events
language plpgsql as $$
declare
  recorded facilitator.events[];
  deliverable bigint[];
begin
  with inserted as (
    insert into facilitator.events as e (subject, sequence, type, account_id, data)
    select each.event ->> 'subject',
      coalesce((select max(earlier.sequence) from facilitator.events earlier
        where earlier.subject = each.event ->> 'subject'), 0)
        + row_number() over (partition by each.event ->> 'subject' order by each.position),
      each.event ->> 'type', (each.event ->> 'account')::bigint, each.event -> 'data'
    from jsonb_array_elements(p_events) with ordinality as each (event, position)
    order by each.position
    returning e
  )
  select array_agg(i.e), array_agg((i.e).id) filter (where exists (select from facilitator.webhooks w
      where w.account_id = (i.e).account_id and w.status = 'ENABLED'))
    into recorded, deliverable from inserted i;
  if p_enqueue is not null and deliverable is not null then
    perform facilitator.add_deliveries(deliverable, p_enqueue);
  end if;
  return query select * from unnest(recorded);
end $$;
