#!/usr/bin/env node
import { runSandbox } from './run-sandbox.ts'

const USAGE = `npx @mintmark/sandbox

Starts a development chain, PostgreSQL, the Mintmark gateway and the facilitator, with demo data. Keep it running; Ctrl-C stops it.

  DATA_DIR           the folder of all data (.mintmark)
  GATEWAY_PORT       4000
  FACILITATOR_PORT   4001
  CHAIN_PORT         8545`

if (process.argv.length > 2) {
  const isHelp = ['-h', '--help'].includes(process.argv[2] ?? '')
  console.log(isHelp ? USAGE : `Unknown argument ${process.argv[2]}\n\n${USAGE}`)
  process.exit(isHelp ? 0 : 1)
}
await runSandbox({ next: 'In another terminal: npm install mintmark, and call it with the credentials' })
