import { expect, it } from 'vitest'
import { ConfigurationError } from '../environment.ts'
import { createSessionCommands } from './session-commands.ts'

it.each([
  ['4711x', { started: '2026-01-01T00:00:00Z', actor: 'ada' }, 'session-id'],
  ['4711', { started: 'yesterday', actor: 'ada' }, '--started'],
  ['4711', { started: '2026-01-01T00:00:00Z', actor: ' ' }, '--actor'],
])('sessions end refuses %s with %j before it opens the database', async (id, options, name) => {
  let isOpened = false
  const commands = createSessionCommands({
    async withDatabase() {
      isOpened = true
    },
    endSession: () => Promise.reject(new Error('A session was ended')),
  })
  const end = async () => await commands['sessions end']?.run({ arguments: [id], options })
  await expect(end()).rejects.toThrow(ConfigurationError)
  await expect(end()).rejects.toThrow(name)
  expect(isOpened).toBe(false)
})
