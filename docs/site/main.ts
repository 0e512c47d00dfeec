// `npm run docs`: builds the documentation site and serves it until SIGINT or SIGTERM.
// `npm run docs -- --port 8080` uses another port.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { serve } from 'vitepress'
import { repositoryRoot } from '../../tools/workspace.ts'
import { endAtSignals } from './end-at-signals.ts'

const { port } = parseArgs({ options: { port: { type: 'string', default: '4173' } } }).values
endAtSignals()
await import('./build.ts')
await serve({ root: join(repositoryRoot, 'docs'), port: Number(port) })
