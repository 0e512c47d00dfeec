// `npm run docs`: builds the documentation site and serves it. `npm run docs -- --port 8080` uses another port.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { serve } from 'vitepress'
import { repositoryRoot } from '../../tools/workspace.ts'
import './build.ts'

const { port } = parseArgs({ options: { port: { type: 'string', default: '4173' } } }).values
await serve({ root: join(repositoryRoot, 'docs'), port: Number(port) })
