import { session } from '@mintmark/admin'
import { expect, it } from 'vitest'
import { SESSION_PATH } from './first-session.ts'

it('requests the address of the operation that reads the session', () => {
  expect(session.get).toMatchObject({ path: SESSION_PATH, method: 'GET' })
})
