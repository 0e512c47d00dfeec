-- Adds a delivery of each event to each enabled webhook that subscribes to its type, and the jobs of these deliveries.
-- p_enqueue contains the job queue's own insert statements (`steady` and `failing`, each with the jobs as its parameter), so
-- that events, deliveries and jobs are committed together by one statement.
create or replace function facilitator.add_deliveries(p_events bigint[], p_enqueue jsonb) returns void
language plpgsql as $$
declare
  steady text;
  failing text;
begin
  with added as (
    insert into facilitator.deliveries (webhook_id, event_id, event_type, next_attempt_at)
    select w.id, e.id, e.type, clock_timestamp()
    from facilitator.events e
    join facilitator.webhooks w on w.account_id = e.account_id and w.status = 'ENABLED'
      and (cardinality(w.events) = 0 or e.type = any (w.events))
    where e.id = any (p_events)
    order by e.id, w.id
    returning id, webhook_id, turn
  ), planned as (
    select a.id, w.failing_since is not null as is_failing, jsonb_build_object(
      'data', jsonb_build_object('delivery', a.id, 'turn', a.turn),
      'groupId', a.webhook_id::text,
      'expireInSeconds', p_enqueue -> 'expireSeconds') as job
    from added a join facilitator.webhooks w on w.id = a.webhook_id
  )
  select (jsonb_agg(p.job order by p.id) filter (where not p.is_failing))::text,
    (jsonb_agg(p.job order by p.id) filter (where p.is_failing))::text
    into steady, failing from planned p;
  if steady is not null then
    execute p_enqueue ->> 'steady' using steady;
  end if;
  if failing is not null then
    execute p_enqueue ->> 'failing' using failing;
  end if;
end $$;
