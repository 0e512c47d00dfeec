import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeEnvironment, formatResults, parseResults, ResultsError, readResults } from './results.ts'
import { createTestResults } from './testing.ts'

it('reads the results that it writes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mintmark-results-'))
  try {
    const file = join(folder, 'results.json')
    await writeFile(file, formatResults(createTestResults()))
    expect(await readResults(file)).toEqual(createTestResults())
  } finally {
    await rm(folder, { recursive: true })
  }
})

it('reads the results of this machine and checkout', () => {
  const results = createTestResults([], describeEnvironment(true))
  expect(results.environment).toMatchObject({ node: process.version, quick: true })
  expect(parseResults(formatResults(results), 'results.json')).toEqual(results)
})

it('reads results without a commit, from a copy without git', () => {
  const { commit: _, ...environment } = createTestResults().environment
  const results = { ...createTestResults(), environment }
  expect(parseResults(formatResults(results), 'results.json')).toEqual(results)
})

it.each([
  ['no JSON', 'figures', 'old.json is not JSON. Name the results.json of an earlier run'],
  ['another file', '{"name":"mintmark"}', 'old.json is not the results of a run: version: '],
  [
    'another version',
    JSON.stringify({ ...createTestResults(), version: 3 }),
    'old.json has version 3, but this checkout reads version 2. Measure the baseline again',
  ],
  [
    'a figure that is no number',
    formatResults(createTestResults()).replace('"value": 12000', '"value": "12000"'),
    'old.json is not the results of a run: sections.0.rows.0.figures.0.value: ',
  ],
  [
    'an unknown unit',
    formatResults(createTestResults()).replace('"unit": "ms"', '"unit": "hours"'),
    'old.json is not the results of a run: sections.0.columns.1.unit: ',
  ],
])('refuses %s and says what is wrong', (_, json, message) => {
  expect(() => parseResults(json, 'old.json')).toThrow(ResultsError)
  expect(() => parseResults(json, 'old.json')).toThrow(message)
})

it('names a baseline that does not exist', async () => {
  const file = join(tmpdir(), 'mintmark-no-such-results.json')
  await expect(readResults(file)).rejects.toThrow(ResultsError)
  await expect(readResults(file)).rejects.toThrow(file)
})
