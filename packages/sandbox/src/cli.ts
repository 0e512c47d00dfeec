#!/usr/bin/env node
import { formatFirstProgram } from './first-program.ts'
import { listStarters } from './starters.ts'

const USAGE = `npx @mintmark/sandbox

Starts a development chain, PostgreSQL, the Mintmark gateway and the facilitator, with demo data. Keep it running; Ctrl-C stops it.

  DATA_DIR           the folder of all data (.mintmark)
  GATEWAY_PORT       4000, or PORT
  FACILITATOR_PORT   4001
  CHAIN_PORT         8545`

if (process.argv.length > 2) {
  const isHelp = ['-h', '--help'].includes(process.argv[2] ?? '')
  console.log(isHelp ? USAGE : `Unknown argument ${process.argv[2]}\n\n${USAGE}`)
  process.exit(isHelp ? 0 : 1)
}
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`The sandbox needs Node 22.18 or later. This is Node ${process.versions.node}`)
  process.exit(1)
}
// Loading both servers takes seconds, during which nothing else is printed.
console.log('Mintmark sandbox')
const starters = listStarters()
const { runSandbox } = await import('./run-sandbox.ts')
await runSandbox({
  starters,
  next: (credentialsFile) => `In another terminal: npm install mintmark, and run this as first.mjs:

${formatFirstProgram(credentialsFile)}
To sell a call by x402: npx mintmark try
The reference of the gateway is at its address under /docs. The credentials include the keys of wallets with funds.`,
})
