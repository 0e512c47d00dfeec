import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startProgress } from './progress.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function record(isTTY: boolean, columns = 100) {
  const written: string[] = []
  return { written, output: { isTTY, columns, write: (text: string) => written.push(text) } }
}

it('prints plain lines where the output is no terminal', () => {
  const { written, output } = record(false)
  const progress = startProgress(output, 'Starting')
  progress.line('  gateway')
  expect(progress.end()).toBe('0.0')
  expect(written).toEqual(['Starting …\n', '  gateway\n'])
})

it('erases its last line in a terminal before it prints another one', () => {
  const { written, output } = record(true)
  const progress = startProgress(output, 'Starting')
  progress.line('  gateway')
  progress.end()
  expect(written).toEqual(['\r\u001b[K  gateway\n', '\r\u001b[K'])
})

it('shows the time in a terminal before anything is known', () => {
  const { written, output } = record(true)
  const progress = startProgress(output, 'Starting')
  vi.advanceTimersByTime(1300)
  expect(progress.end()).toBe('1.3')
  expect(written.at(-2)).toMatch(/. Starting 1\.3 s$/)
})

it('estimates the remaining time from the share that is done, and counts it down', () => {
  const { written, output } = record(true)
  const progress = startProgress(output, 'Simulating')
  vi.advanceTimersByTime(60_000)
  progress.update({ text: '25 of 100 seeds', done: 0.25 })
  vi.advanceTimersByTime(100)
  expect(written.at(-1)).toContain('Simulating: 25 of 100 seeds, 1m, about 3m left')
  vi.advanceTimersByTime(135_000)
  expect(written.at(-1)).toContain('about 45s left')
  // The estimate was too low. It says nothing about what is left.
  vi.advanceTimersByTime(60_000)
  expect(written.at(-1)).toMatch(/25 of 100 seeds, 4m$/)
  progress.update({ text: '100 of 100 seeds', done: 1 })
  vi.advanceTimersByTime(100)
  expect(written.at(-1)).toMatch(/100 of 100 seeds, 4m$/)
  progress.end()
})

it('estimates hours', () => {
  const { written, output } = record(true)
  const progress = startProgress(output, 'Killing')
  vi.advanceTimersByTime(20 * 60_000)
  progress.update({ text: 'part 1 of 5', done: 0.2 })
  vi.advanceTimersByTime(100)
  expect(written.at(-1)).toContain('about 1h 20m left')
  progress.end()
})

it.each([undefined, 0])('estimates nothing while the share that is done is %s', (done) => {
  const { written, output } = record(true)
  const progress = startProgress(output, 'Simulating')
  vi.advanceTimersByTime(5000)
  progress.update({ text: 'starting', done })
  vi.advanceTimersByTime(100)
  expect(written.at(-1)).toMatch(/Simulating: starting, 6s$/)
  progress.end()
})

it('cuts its last line to the width of the terminal, because a longer one cannot be erased', () => {
  const { written, output } = record(true, 20)
  const progress = startProgress(output, 'A title that is longer than the line')
  vi.advanceTimersByTime(100)
  expect([...(written.at(-1)?.replace('\r\u001b[K', '') ?? '')]).toHaveLength(19)
  progress.end()
})

it('prints updates without control characters, at most every 30 seconds, where the output is no terminal', () => {
  const { written, output } = record(false)
  const progress = startProgress(output, 'Simulating')
  for (let second = 1; second <= 70; second += 1) {
    vi.advanceTimersByTime(1000)
    progress.update({ text: `${second} of 100 seeds`, done: second / 100 })
  }
  progress.end()
  expect(written).toEqual([
    'Simulating …\n',
    'Simulating: 30 of 100 seeds, about 1m left\n',
    'Simulating: 60 of 100 seeds, about 40s left\n',
  ])
})
