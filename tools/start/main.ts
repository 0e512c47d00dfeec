// Runs the sandbox. The packages are built meanwhile, for the programs in `examples/`, which import them as
// they are published.
import { join } from 'node:path'
import { runSandbox } from '@mintmark/sandbox'
import { run } from '../run.ts'
import { repositoryRoot } from '../workspace.ts'

const build = join(repositoryRoot, 'tools/build/main.ts')
const building = new AbortController()
process.once('exit', () => building.abort())
const other = run(process.execPath, ['--conditions=@mintmark/source', build], {
  cwd: repositoryRoot,
  signal: building.signal,
})
await runSandbox({ other, next: () => 'In another terminal: npm run tour' })
