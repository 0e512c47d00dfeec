import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'

const module = new URL('./end-at-signals.ts', import.meta.url).href
const program = `
  import { createServer } from 'node:http'
  import { endAtSignals } from ${JSON.stringify(module)}
  endAtSignals()
  createServer().listen(0, '127.0.0.1', () => console.log('serving'))`

it.each(['SIGINT', 'SIGTERM'] as const)(
  'a program that serves pages ends with status 0 at %s',
  async (signal) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    child.kill(signal)
    expect(await once(child, 'exit')).toEqual([0, null])
  },
)
