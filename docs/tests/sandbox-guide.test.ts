import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { binary, run } from '../../tools/run.ts'
import { repositoryRoot } from '../../tools/workspace.ts'
import { readCodeBlocks } from '../site/blocks.ts'

const folder = join(repositoryRoot, 'node_modules', '.cache', 'mintmark-sandbox-guide')
const conditions = ['@mintmark/source', 'node']
const config = {
  root: repositoryRoot,
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: { include: [join(folder, '*.test.ts')], exclude: [], testTimeout: 120_000, server: { deps: {} } },
}

it('the example of docs/guides/testing-with-the-sandbox.md passes in Vitest', async () => {
  const blocks = readCodeBlocks(join(repositoryRoot, 'docs', 'guides', 'testing-with-the-sandbox.md'))
  const examples = blocks.filter(({ code }) => code.includes("from 'vitest'"))
  expect(examples).toHaveLength(1)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'example.test.ts'), examples[0]?.code ?? '')
  // Vitest compiles no file below node_modules unless it is listed.
  const inlined = '/mintmark-sandbox-guide/'
  const source = JSON.stringify(config).replace('"deps":{}', `"deps":{"inline":[${inlined}]}`)
  const configFile = join(folder, 'vitest.config.mjs')
  writeFileSync(configFile, `export default ${source}\n`)
  const parameters = [
    'run',
    '--config',
    configFile,
    '--reporter=json',
    '--outputFile',
    join(folder, 'report.json'),
  ]
  // This run's variables would make the other one a part of it.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')))
  await run(binary('vitest'), parameters, { cwd: repositoryRoot, env })
  const report: { numPassedTests: number; numTotalTests: number } = JSON.parse(
    readFileSync(join(folder, 'report.json'), 'utf8'),
  )
  expect(report).toMatchObject({ numPassedTests: 2, numTotalTests: 2 })
})
