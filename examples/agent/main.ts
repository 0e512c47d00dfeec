// An agent with a budget. Needs `npm start` and examples/paid-api running.
// Run: npx node examples/agent/main.ts
import { readFileSync } from 'node:fs'
import { runAgent } from './agent.ts'
import { createScriptedPlanner } from './scripted-planner.ts'
import { createServerSettings } from './server-settings.ts'

const { gateway, accounts, chain, demo } = JSON.parse(readFileSync('.mintmark/credentials.json', 'utf8'))

const weatherUrl = process.argv[2] ?? 'http://localhost:3001/weather'
await runAgent({
  goal: 'Find a sunny city, and create a promo code card for it.',
  planner: createScriptedPlanner({ weatherUrl, nftAddress: demo.nftAddress }),
  print: console.log,
  ...createServerSettings({
    gateway,
    // The wallets of development chains are public: never send them anything of value.
    privateKey: accounts.payer.privateKey,
    seller: new URL(weatherUrl).hostname,
    asset: `eip155:${chain.chainId}/${chain.token}`,
    stateFile: '.mintmark/agent.sqlite',
  }),
})
