import type { SqlFunction } from '@mintmark/server-kit'

/**
 * The names of a server's tables of webhooks. The SQL of this folder is written once and used with the names
 * of each server.
 */
export interface WebhookSchema {
  /** The schema of the tables, such as `facilitator`. It contains the tables `webhooks` and `events`. */
  readonly schema: string
  /** The table of deliveries. */
  readonly deliveries: string
  /** The column of all three tables with the owner of the row: an account or a project. */
  readonly owner: string
  /** The column of events that identifies an event of its owner. */
  readonly eventKey: string
  /** The column of deliveries that refers to it. */
  readonly deliveredEvent: string
  /** The schema of the job queue. */
  readonly jobSchema: string
  /** The role of the server's queries, which uses the job queue. */
  readonly role: string
  /** The command that creates the schemas. */
  readonly migrateCommand: string
}

export type WebhookStatus = 'ENABLED' | 'DISABLED' | 'REMOVED'
export type DeliveryStatus = 'PENDING' | 'DELIVERED' | 'FAILED'

/**
 * How deliveries become jobs: the job queue's own insert statements, each with an array of jobs as JSON text
 * as its parameter. Whatever adds a delivery runs them in the same transaction, so that deliveries and jobs
 * are committed together.
 */
export interface Enqueue {
  /** Adds jobs for webhooks that work. */
  readonly steady: string
  /** Adds jobs for webhooks that fail. */
  readonly failing: string
  /** Seconds after which an unfinished job counts as lost with its process. */
  readonly expireSeconds: number
}

/** Creates the SQL functions that add deliveries and their jobs, for the migration plan of a server. */
export function createDeliveryFunctions(names: WebhookSchema): readonly SqlFunction[] {
  return [
    { name: 'enqueue_deliveries', sql: createEnqueueDeliveries(names) },
    { name: 'add_deliveries', sql: createAddDeliveries(names) },
  ]
}

function createEnqueueDeliveries({ schema, deliveries, owner }: WebhookSchema): string {
  return `\
-- Adds the jobs of pending deliveries, each at the time of its next attempt. The arrays have one element per delivery. p_enqueue contains the job queue's own insert
-- statements ('steady' and 'failing', each with the jobs as its parameter).
create or replace function ${schema}.enqueue_deliveries(p_owners bigint[], p_deliveries bigint[], p_enqueue jsonb) returns void
language plpgsql as $$
declare
  steady text;
  failing text;
begin
  with planned as (
    select d.id, w.failing_since is not null as is_failing, jsonb_build_object(
      'data', jsonb_build_object('owner', d.${owner}, 'delivery', d.id, 'turn', d.turn),
      'groupId', d.webhook_id::text,
      'startAfter', d.next_attempt_at,
      'expireInSeconds', p_enqueue -> 'expireSeconds') as job
    from unnest(p_owners, p_deliveries) as each (owner, delivery)
    join ${schema}.${deliveries} d on d.${owner} = each.owner and d.id = each.delivery and d.status = 'PENDING'
    join ${schema}.webhooks w on w.${owner} = d.${owner} and w.id = d.webhook_id
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
`
}

function createAddDeliveries(names: WebhookSchema): string {
  const { schema, deliveries, owner, deliveredEvent } = names
  return `\
-- Adds a delivery of each event to each enabled webhook of its owner that subscribes to its type, and the jobs of these
-- deliveries, so that events, deliveries and jobs are committed together. The arrays have one element per event.
create or replace function ${schema}.add_deliveries(p_owners bigint[], p_events bigint[], p_types text[], p_enqueue jsonb) returns void
language plpgsql as $$
declare
  owners bigint[];
  added bigint[];
begin
  with inserted as (
    insert into ${schema}.${deliveries} (${owner}, webhook_id, ${deliveredEvent}, event_type, next_attempt_at)
    select w.${owner}, w.id, each.event, each.type, clock_timestamp()
    from unnest(p_owners, p_events, p_types) with ordinality as each (owner, event, type, position)
    join ${schema}.webhooks w on w.${owner} = each.owner and w.status = 'ENABLED'
      and (cardinality(w.events) = 0 or w.events && array[each.type, split_part(each.type, '.', 1) || '.*', '*'])
    order by each.position, w.id
    returning ${owner} as owner, id
  )
  select array_agg(i.owner order by i.id), array_agg(i.id order by i.id) into owners, added from inserted i;
  if added is not null then
    perform ${schema}.enqueue_deliveries(owners, added, p_enqueue);
  end if;
end $$;
`
}
