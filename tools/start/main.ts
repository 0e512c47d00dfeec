// Runs the sandbox. The packages are built meanwhile, for the programs in `examples/`, which import them as
// they are published.
import { join } from 'node:path'
import { runSandbox } from '@mintmark/sandbox'
import { repositoryRoot } from '../workspace.ts'
import { startGroup } from './process-group.ts'

const build = startGroup(
  ['--conditions=@mintmark/source', join(repositoryRoot, 'tools/build/main.ts')],
  repositoryRoot,
)
process.once('exit', () => build.end())
await runSandbox({ other: build.done, next: () => 'In another terminal: npm run tour' })
