import { beforeAll, expect, it } from 'vitest'
import { stopAfterFile, stopStarted } from './stop-after-file.ts'

const stopped: string[] = []
const start = (name: string) => stopAfterFile(async () => void stopped.push(name))

beforeAll(() => start('in a hook'))

it('stops once what a hook and a test have started', async () => {
  start('in a test')
  await stopStarted()
  await stopStarted()
  expect(stopped).toEqual(['in a hook', 'in a test'])
})
