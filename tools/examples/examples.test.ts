import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createKey, gatewaySchema, seedDemo, startGateway, type Tables } from '@mintmark/gateway-server'
import {
  createLog,
  createSealer,
  environment,
  migrate,
  newSecretKey,
  openDatabase,
} from '@mintmark/server-kit'
import { testDatabase } from '@mintmark/server-kit/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { devAccount } from '../devchain/accounts.ts'
import { testChain } from '../devchain/testing.ts'
import operations from '../operations/operations.json' with { type: 'json' }
import { blocksOf, blocksOfFile } from '../readme/blocks.ts'
import { repositoryRoot } from '../workspace.ts'
import { programOf } from './program.ts'

/** Documents of which every block is run, with the package whose operations they show. */
const documents: readonly string[] = ['cards', 'contracts', 'market', 'orders', 'wallet']
// Resolution starts at the program's own folder; nothing is looked for here by anybody else.
const folder = join(repositoryRoot, 'node_modules', '.cache', 'mintmark-examples')
const run = promisify(execFile)

const stops: (() => Promise<unknown>)[] = []
let given: Record<string, unknown>
beforeAll(async () => {
  mkdirSync(folder, { recursive: true })
  const chain = await testChain()
  const place = await testDatabase()
  stops.push(() => place.drop())
  await migrate(place.url, gatewaySchema)
  const secretKeys = newSecretKey('examples')
  const database = openDatabase<Tables>({ url: place.url, max: 2 })
  stops.push(() => database.close())
  const key = await createKey(database.system, createSealer(secretKeys), {
    project: 'examples',
    name: 'examples',
  })
  const [buyer, creator] = [devAccount(1), devAccount(2)].map(({ address }) => address.toLowerCase())
  const nftAddress = '0x00000000000000000000000000000000000000aa'
  const seed = { wallet: buyer ?? '', creator: creator ?? '', nftAddress, chainId: String(chain.chainId) }
  await seedDemo(database, {
    ...seed,
    project: key.projectId,
    payToken: { address: chain.token, decimals: 6 },
  })
  const gateway = await startGateway(
    environment({
      DATABASE_URL: place.url,
      SECRET_KEYS: secretKeys,
      GATEWAY_PORT: '0',
      CHAINS: `${chain.chainId}=${chain.rpcUrl}`,
    }),
    createLog('gateway', 'silent'),
  )
  stops.push(() => gateway.close())
  given = {
    baseUrl: gateway.url,
    apiKey: key.apiKey,
    secret: key.secret,
    buyer,
    creator,
    nftAddress,
    rpcUrl: chain.rpcUrl,
  }
})
afterAll(async () => {
  for (const stop of stops.reverse()) await stop()
})

/** Runs a program with what examples take as given; answers what it printed and the operations that it called. */
async function runProgram(name: string, code: string) {
  const file = join(folder, `${name}.mjs`)
  const calledFile = join(folder, `${name}.json`)
  const prelude = join(import.meta.dirname, 'prelude.ts')
  writeFileSync(file, `import ${JSON.stringify(prelude)}\n${code}`)
  const { stdout } = await run(process.execPath, ['--conditions=@mintmark/source', file], {
    env: { ...process.env, EXAMPLES_GIVEN: JSON.stringify({ ...given, calledFile }) },
    timeout: 50_000,
  })
  return { stdout, called: JSON.parse(readFileSync(calledFile, 'utf8')) as string[] }
}

describe('the examples', () => {
  it.each(documents)('of docs/%s.md run, and call every operation of the package', async (name) => {
    const blocks = blocksOfFile(join(repositoryRoot, 'docs', `${name}.md`))
    const { called } = await runProgram(name, programOf(blocks))
    const all = operations.filter((row) => row.package === name).map(({ id }) => id)
    expect(all.filter((id) => !called.includes(id))).toEqual([])
  })

  it('are found out when they fail', async () => {
    const text =
      "```ts\nimport { walletInfo } from '@mintmark/wallet'\nawait walletInfo.get(gateway, { address: 'nobody' })\n```\n"
    await expect(runProgram('failing', programOf(blocksOf(text)))).rejects.toThrow(/NotFound/)
    const fine = `${text.replace("'nobody'", 'buyer')}\n${text.replace("'nobody'", 'creator')}`
    expect((await runProgram('fine', programOf(blocksOf(fine)))).called).toEqual(['walletInfo.get'])
  })
})
