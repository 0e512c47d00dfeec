import { lazyMinting } from '@mintmark/contracts'
import { captureCommand } from '@mintmark/devkit/command-output'
import type { GatewayClient } from '@mintmark/operation'
import { runCommandLine } from '@mintmark/server-kit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ChainUnavailableError } from '../chain/chain-access.ts'
import type { UndecidedMint } from '../domains/minting/watching/operator.ts'
import { type TestGateway, testGateway } from '../testing/gateway.ts'
import { expectMintInvariants } from '../testing/mint-invariants.ts'
import { createLazyPresale, expireSignatures, runMintWatcher } from '../testing/presales.ts'
import { clientOf } from '../testing/samples/calls.ts'
import { newAddress } from '../testing/samples/sample.ts'
import { mintCommands } from './mints.ts'

let gateway: TestGateway
let client: GatewayClient
beforeAll(async () => {
  gateway = await testGateway()
  client = clientOf(gateway, gateway.key)
  // No node has the state of final blocks or returns a block by its hash.
  gateway.mintChain.verify = async () => ({ unused: false, reason: 'missing trie node' })
  gateway.mintChain.listMintsInBlock = () => Promise.reject(new ChainUnavailableError('unknown block'))
})
afterAll(() => gateway?.close())

/** Runs a command as from a shell. */
const run = (...args: string[]) => {
  const environment = { DATABASE_URL: gateway.url, SECRET_KEYS: gateway.secretKeys }
  return captureCommand(environment, () =>
    runCommandLine({ program: 'mintmark-gateway', version: '0' }, mintCommands, args),
  )
}

const resolve = ({ reservation, projectId }: UndecidedMint, ...args: string[]) =>
  run('mints', 'resolve', `${reservation}`, '--project', `${projectId}`, ...['--actor', 'ada', ...args])

async function listUndecided(): Promise<UndecidedMint[]> {
  const { status, out } = await run('mints', 'undecided')
  expect(status).toBe(0)
  return JSON.parse(out) as UndecidedMint[]
}

/** Signs the mint of the only token that a wallet may have, which then stays undecided. */
async function createUndecided() {
  const { nftAddress } = await createLazyPresale(client, { pricedBy: 'CHAIN', limitPerWallet: 1 })
  const recipient = newAddress()
  const sign = () => lazyMinting.mintSign(client, { nftAddress, recipient })
  const { uid } = await sign()
  expireSignatures(gateway)
  await runMintWatcher(gateway)
  const mint = (await listUndecided()).find((each) => each.uid === uid)
  if (mint === undefined) throw new Error('The signature is decided')
  return { mint, sign, recipient }
}

const HASH = `0x${'ab'.repeat(32)}`
const why = ['--reason', 'read in an explorer']

describe('mints undecided', () => {
  it('mints undecided lists a signature with its wallet and collection, whose wallet cannot mint until it is decided', async () => {
    const { mint, sign, recipient } = await createUndecided()
    expect(mint).toMatchObject({ recipient, quantity: 1, attempts: 1, nftAddress: expect.any(String) })
    await expect(sign()).rejects.toThrow()
  })
})

describe('mints resolve', () => {
  it('mints resolve releases an unused signature, so that the wallet can mint', async () => {
    const { mint, sign } = await createUndecided()
    const { status, out } = await resolve(mint, '--as', 'unused', ...why)
    expect({ status, result: JSON.parse(out) }).toMatchObject({ status: 0, result: { status: 'RELEASED' } })
    expect((await sign()).uid).not.toBe(mint.uid)
    await expectMintInvariants(gateway)
  })

  it('mints resolve records a mint once', async () => {
    const { mint, sign } = await createUndecided()
    const minted = ['--as', 'minted', '--hash', HASH, '--token-id', '7', ...why]
    expect(JSON.parse((await resolve(mint, ...minted)).out)).toMatchObject({ status: 'MINTED' })
    await expect(sign()).rejects.toThrow()
    expect(await resolve(mint, ...minted)).toMatchObject({
      status: 2,
      error: expect.stringContaining('the chain decides it'),
    })
    expect(await listUndecided()).not.toContainEqual(expect.objectContaining({ uid: mint.uid }))
    await expectMintInvariants(gateway)
  })

  it.each([
    [['--as', 'minted', '--token-id', '7', ...why], '--hash: expected 0x and 64'],
    [['--as', 'minted', '--hash', HASH, ...why], '--token-id: expected a number'],
    [['--as', 'unused', '--hash', HASH, ...why], '--hash and --token-id: expected with --as minted only'],
    [['--as', 'lost', ...why], '--as: expected minted or unused'],
    [['--as', 'unused', '--reason', ' '], '--actor and --reason: expected who decides, and why'],
  ])('mints resolve refuses %j and names the option', async (args, message) => {
    const mint = { reservation: 1, projectId: 1 } as UndecidedMint
    const { status, out, error } = await resolve(mint, ...args)
    expect({ status, out }).toEqual({ status: 2, out: '' })
    expect(error).toContain(message)
  })

  it("mints resolve refuses another project's reservation", async () => {
    const { mint } = await createUndecided()
    const { status, error } = await resolve({ ...mint, projectId: 999 }, '--as', 'unused', ...why)
    expect(status).toBe(2)
    expect(error).toContain(`Project 999 has no reservation ${mint.reservation}`)
  })
})
