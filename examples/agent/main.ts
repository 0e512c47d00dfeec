// An agent with a budget. Needs `npm start` and examples/paid-api running. Run: npx node examples/agent/main.ts
import { readFileSync } from 'node:fs'
import { toHex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { runAgent } from './agent.ts'
import { createScriptedPlanner } from './scripted-planner.ts'
import { createServerSettings } from './server-settings.ts'

const { gateway, facilitator, chain, demo } = JSON.parse(readFileSync('.mintmark/credentials.json', 'utf8'))
// The wallets of development chains are public: never send them anything of value.
const mnemonic = 'test test test test test test test test test test test junk'
const wallet = Array.from({ length: 10 }, (_, addressIndex) =>
  mnemonicToAccount(mnemonic, { addressIndex }),
).find(({ address }) => address.toLowerCase() === facilitator.payer.toLowerCase())
const privateKey = wallet?.getHdKey().privateKey
if (!privateKey) throw new Error('The demo has another wallet. Run npm start again')

const weatherUrl = process.argv[2] ?? 'http://localhost:3001/weather'
await runAgent({
  goal: 'Find a sunny city, and create a promo code card for it.',
  planner: createScriptedPlanner({ weatherUrl, nftAddress: demo.nftAddress }),
  print: console.log,
  ...createServerSettings({
    gateway,
    privateKey: toHex(privateKey),
    seller: new URL(weatherUrl).hostname,
    asset: `eip155:${chain.chainId}/${chain.token}`,
    stateFile: '.mintmark/agent.sqlite',
  }),
})
