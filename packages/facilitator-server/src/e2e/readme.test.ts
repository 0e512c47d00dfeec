// Runs the examples of the client package's README, in their order, against a real facilitator.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { transform } from 'esbuild'
import { afterAll, expect, test } from 'vitest'
import { devAccount } from '../../../../tools/devchain/accounts.ts'
import { testChain } from '../../../../tools/devchain/testing.ts'
import { blocksOfFile } from '../../../../tools/readme/blocks.ts'
import { repositoryRoot } from '../../../../tools/workspace.ts'
import { signedBody } from '../payment/testing.ts'
import { testFacilitator } from '../testing.ts'

const chain = await testChain()
const wallet = devAccount(1)
const facilitator = await testFacilitator({ chain, signerKeys: [devAccount(9).privateKey] })
const receiver = createServer((_, response) => response.writeHead(204).end())
receiver.listen(0, '127.0.0.1')
await once(receiver, 'listening')
const address = receiver.address()
if (address === null || typeof address === 'string') throw new Error('the receiver has no port')
const receiverUrl = `http://127.0.0.1:${address.port}/hooks/mintmark`
afterAll(async () => {
  receiver.close()
  await facilitator.close()
})

/** Gives each example what the document takes as given, runs it, and marks where its output ends. */
const runner = (blocks: number) => `
import { createFacilitator } from '@mintmark/transport'
import { privateKeyToAccount } from 'viem/accounts'
const given = JSON.parse(process.env.GIVEN)
const { baseUrl, token } = given
const facilitator = createFacilitator({ baseUrl, credentials: { token } })
const wallet = privateKeyToAccount(given.walletKey)
Object.assign(globalThis, { baseUrl, token, facilitator, wallet, secret: 'whsec_' + btoa('a secret of the shop') })
for (let block = 0; block < ${blocks}; block += 1) {
  Object.assign(globalThis, given.payments[block])
  const example = await import('./block-' + block + '.mjs')
  if (example.receive) {
    const answer = await example.receive(new Request('https://shop.example.com', { method: 'POST', body: '{}' }))
    console.log(answer.status, await answer.text())
  }
  console.log('---')
}
`

test('the examples of the client package’s README do what they say', async () => {
  const account = await facilitator.account({ payer: wallet.address })
  const blocks = blocksOfFile(join(repositoryRoot, 'packages', 'facilitator', 'README.md'))
  const caches = join(repositoryRoot, 'node_modules', '.cache')
  await mkdir(caches, { recursive: true })
  // Where the packages are found by their names.
  const folder = await mkdtemp(join(caches, 'readme-'))
  try {
    for (const [index, { code }] of blocks.entries()) {
      const reachable = code.replace('https://shop.example.com/hooks/mintmark', receiverUrl)
      const { code: script } = await transform(reachable, { loader: 'ts' })
      await writeFile(join(folder, `block-${index}.mjs`), script)
    }
    await writeFile(join(folder, 'runner.mjs'), runner(blocks.length))
    const payments = await Promise.all(blocks.map(() => signedBody({ account: wallet })))
    const given = { baseUrl: facilitator.url, token: account.token, walletKey: wallet.privateKey, payments }
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--conditions=@mintmark/source', join(folder, 'runner.mjs')],
      { env: { ...process.env, GIVEN: JSON.stringify(given) } },
    )
    const [settled, tried, quota, orders, configured, received, ...rest] = stdout.split('---\n')
    expect(settled).toMatch(/^0x[0-9a-f]{64}\n$/)
    expect(tried).toBe('')
    expect(quota).toContain("remaining: '200000000000000000'")
    expect(orders?.trim().split('\n')).toHaveLength(2)
    expect(configured).toContain('whsec_')
    expect(received).toBe('400 missing_headers\n')
    expect(rest).toEqual([''])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
