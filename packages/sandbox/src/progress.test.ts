import { expect, it } from 'vitest'
import { startProgress } from './progress.ts'

function record(isTTY: boolean) {
  const written: string[] = []
  return { written, output: { isTTY, write: (text: string) => written.push(text) } }
}

it('prints plain lines where the output is no terminal', () => {
  const { written, output } = record(false)
  const progress = startProgress(output, 'Starting')
  progress.line('  gateway')
  expect(progress.end()).toMatch(/^\d+\.\d$/)
  expect(written).toEqual(['Starting …\n', '  gateway\n'])
})

it('erases its last line in a terminal before it prints another one', () => {
  const { written, output } = record(true)
  const progress = startProgress(output, 'Starting')
  progress.line('  gateway')
  progress.end()
  expect(written).toEqual(['\r\u001b[K  gateway\n', '\r\u001b[K'])
})
