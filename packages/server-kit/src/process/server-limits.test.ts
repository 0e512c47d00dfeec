import { expect, test } from 'vitest'
import { readEnvironment } from '../environment.ts'
import { readDatabaseTimeouts, readMaxConnections } from './server-limits.ts'

test('DATABASE_STATEMENT_TIMEOUT_MS and DATABASE_IDLE_TIMEOUT_MS are 15 and 30 seconds unless set', () => {
  expect(readDatabaseTimeouts(readEnvironment({}))).toEqual({
    statementTimeoutMs: 15_000,
    idleInTransactionTimeoutMs: 30_000,
  })
  const environment = { DATABASE_STATEMENT_TIMEOUT_MS: '201', DATABASE_IDLE_TIMEOUT_MS: '202' }
  expect(readDatabaseTimeouts(readEnvironment(environment))).toEqual({
    statementTimeoutMs: 201,
    idleInTransactionTimeoutMs: 202,
  })
})

test('MAX_CONNECTIONS is 1,000 unless set', () => {
  expect(readMaxConnections(readEnvironment({}))).toBe(1000)
  expect(readMaxConnections(readEnvironment({ MAX_CONNECTIONS: '7' }))).toBe(7)
})
