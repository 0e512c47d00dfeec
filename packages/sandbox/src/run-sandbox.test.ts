import { ConfigurationError, readEnvironment } from '@mintmark/server-kit'
import { expect, it } from 'vitest'
import { readSandboxDatabase, readSandboxPorts } from './run-sandbox.ts'

const DATABASE_URL = 'postgres://shop:secret@db.internal/shop'
const read = (env: Record<string, string>) => readSandboxDatabase(readEnvironment(env))

it('the sandbox that the environment configures refuses DATABASE_URL, because it may be the database of real servers', () => {
  expect(() => read({ DATABASE_URL })).toThrow(ConfigurationError)
  expect(() => read({ DATABASE_URL })).toThrow('SANDBOX_DATABASE=demo')
  expect(() => read({ DATABASE_URL, SANDBOX_DATABASE: 'yes' })).toThrow('DATABASE_URL is set')
})

it('the sandbox that the environment configures does not repeat the password of DATABASE_URL in its message', () => {
  expect(() => read({ DATABASE_URL })).not.toThrow('secret')
})

it('the sandbox that the environment configures uses DATABASE_URL if it is declared to be for demos, and its own database without it', () => {
  expect(read({ DATABASE_URL, SANDBOX_DATABASE: 'demo' })).toBe(DATABASE_URL)
  expect(read({})).toBeUndefined()
})

it('the sandbox that the environment configures serves the gateway on PORT, and no other server', () => {
  const ports = readSandboxPorts(readEnvironment({ PORT: '8080' }))
  expect(ports).toEqual({ gateway: 8080, facilitator: 4001, chain: 8545 })
})
