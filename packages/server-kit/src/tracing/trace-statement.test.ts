import { expect, it } from 'vitest'
import { summarizeStatement } from './trace-statement.ts'

it.each([
  ['select * from "gateway"."cards" where "id" = $1', 'SELECT', 'gateway.cards'],
  ['insert into gateway.used_signatures (key_id) values ($1)', 'INSERT', 'gateway.used_signatures'],
  ['update "facilitator"."settlements" set "state" = $1', 'UPDATE', 'facilitator.settlements'],
  ['delete from gateway.events where id < $1', 'DELETE', 'gateway.events'],
  ['select * from facilitator.reserve_settlements($1::text[])', 'SELECT', 'facilitator.reserve_settlements'],
  ['select facilitator.transition($1)', 'SELECT', 'facilitator.transition'],
  ['/* planned each time */ select "id" from (select from gateway.nfts) x', 'SELECT', 'gateway.nfts'],
  ['with due as (select id from gateway.orders) update gateway.orders set a = 1', 'WITH', 'gateway.orders'],
  ['begin', 'BEGIN', undefined],
  ["select set_config('mintmark.project', $1, false)", 'SELECT', undefined],
  ["select 'sk_live_1' from secrets", 'SELECT', undefined],
  ['', 'UNKNOWN', undefined],
])('summarizes %j', (text, operation, target) => {
  expect(summarizeStatement(text)).toEqual({ operation, target })
})
