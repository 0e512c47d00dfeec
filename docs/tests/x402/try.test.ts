// What a new seller does first: `mintmark try`, in the folder of a sandbox and elsewhere.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { accounts, payerQuotas, payments, signAccountProof, signPayerQuota } from '@mintmark/facilitator'
import { startSandbox } from '@mintmark/sandbox'
import { createFacilitator } from '@mintmark/transport'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createFolder, runCommand } from '../../../packages/mintmark/src/cli/testing/run-command.ts'
import { repositoryRoot } from '../../../tools/workspace.ts'

// Another price than the default.
const PRICE = 3_000_000_000_000_000n
const sandbox = await startSandbox({ env: { TRIAL_SETTLES: '2', SETTLE_PRICE_WEI: `${PRICE}` } })
afterAll(() => sandbox.stop())
const { baseUrl } = sandbox.credentials.facilitator

/** Creates a home, and a folder in which the sandbox was started. */
function createPlace() {
  const place = { homeFolder: createFolder(), currentFolder: createFolder(), variables: {} }
  mkdirSync(join(place.currentFolder, '.mintmark'))
  const file = join(place.currentFolder, '.mintmark', 'credentials.json')
  writeFileSync(file, JSON.stringify(sandbox.credentials))
  return place
}
const configurationFile = (homeFolder: string) => join(homeFolder, '.config', 'mintmark', 'config.json')
const readProfile = (homeFolder: string) =>
  JSON.parse(readFileSync(configurationFile(homeFolder), 'utf8')).profiles.try
const tryIt = async (settings: Parameters<typeof runCommand>[1], ...words: string[]) => {
  const result = await runCommand(['try', '--json', ...words], settings)
  return { ...result, json: JSON.parse(result.output || result.errors) }
}

test('a seller types mintmark try beside a sandbox, and has a wallet, a key and a paid call, again and again', async () => {
  const place = createPlace()
  const first = await tryIt(place)
  expect(first).toMatchObject({ exitCode: 0, errors: '' })
  const { wallet, token, call } = first.json
  expect(first.json).toMatchObject({
    opened: true,
    credit: `${2n * PRICE}`,
    balance: `${PRICE}`,
    call: { unpaidStatus: 402, status: 200, payTo: wallet, customer: sandbox.accounts.buyer.address },
  })
  const own = createFacilitator({ baseUrl, credentials: { token } })
  expect(await payments.get(own, { transaction: call.transaction })).toMatchObject({ state: 'settled' })
  expect(readProfile(place.homeFolder)).toMatchObject({
    facilitator: { baseUrl, token },
    wallet: { address: wallet },
  })
  // On a terminal, with what is stored.
  const second = await runCommand(['try'], { ...place, isTerminal: true })
  expect(second).toMatchObject({ exitCode: 0, errors: '' })
  for (const part of ['Used your account', wallet, token, 'paid        200 Sunny', "from '@mintmark/seller'"])
    expect(second.output).toContain(part)
  const third = await tryIt(place)
  expect(third).toMatchObject({ exitCode: 8, output: '' })
  expect(third.json.error.message).toContain(
    `Send native tokens of the chain ${sandbox.credentials.chain.chainId}`,
  )
})

test('mintmark try continues after it was interrupted, and after its key was revoked, with the same account and no second trial', async () => {
  const place = createPlace()
  const { wallet, ...first } = (await tryIt(place)).json
  const profile = readProfile(place.homeFolder)
  // Cut before the key was stored.
  const stored = { profiles: { try: { wallet: profile.wallet } } }
  writeFileSync(configurationFile(place.homeFolder), JSON.stringify(stored))
  const again = (await tryIt(place)).json
  expect(again).toMatchObject({ wallet, opened: true, credit: '0', balance: '0', call: { status: 200 } })
  expect(again.token).not.toBe(first.token)
  // Another machine opens the account of the wallet.
  const stranger = createFacilitator({ baseUrl })
  const signer = privateKeyToAccount(profile.wallet.privateKey)
  const signing = await payerQuotas.signingDomain(stranger)
  await accounts.open(stranger, await signAccountProof(signer, signing, { audience: baseUrl }))
  const revoked = createFacilitator({ baseUrl, credentials: { token: again.token } })
  await expect
    .poll(() => payerQuotas.active(revoked, { payer: wallet }).catch(({ kind }) => kind))
    .toBe('Unauthorized')
  expect((await tryIt(place)).json.error).toMatchObject({ exitCode: 8 })
  const { token } = readProfile(place.homeFolder).facilitator
  expect(token).not.toBe(again.token)
})

test('mintmark try signs the quota again only if it covers no settle', async () => {
  const privateKey = generatePrivateKey()
  const wallet = privateKeyToAccount(privateKey)
  const place = { ...createPlace(), variables: { MINTMARK_PRIVATE_KEY: privateKey } }
  const elsewhere = { ...place, currentFolder: createFolder() }
  const { token } = (await tryIt(elsewhere, '--facilitator-url', baseUrl)).json
  const own = createFacilitator({ baseUrl, credentials: { token } })
  /** Signs a quota, runs the command, and returns the limit after it. */
  async function runWithLimit(limit: bigint, settings: typeof place): Promise<bigint> {
    const signing = await payerQuotas.signingDomain(own)
    const validBefore = Math.floor(Date.now() / 1000) + 3600
    await payerQuotas.register(own, await signPayerQuota(wallet, signing, { limit, validBefore }))
    expect(await tryIt(settings)).toMatchObject({ exitCode: 0, json: { opened: false } })
    return BigInt((await payerQuotas.active(own, { payer: wallet.address })).limit)
  }
  expect(await runWithLimit(1000n, elsewhere)).toBe(2n * PRICE)
  expect(await runWithLimit(PRICE, elsewhere)).toBe(PRICE)
  // The call that is sold shows the price.
  expect(await runWithLimit(2n * PRICE - 1n, place)).toBe(2n * PRICE - 1n)
  expect(await tryIt(place)).toMatchObject({ exitCode: 0, json: { balance: '0', call: { status: 200 } } })
  expect(BigInt((await payerQuotas.active(own, { payer: wallet.address })).limit)).toBe(PRICE)
})

test('mintmark try without a sandbox prints the program of a shop, which stock customers pay', async () => {
  const privateKey = generatePrivateKey()
  const settings = { homeFolder: createFolder(), variables: { MINTMARK_PRIVATE_KEY: privateKey } }
  const { json, exitCode } = await tryIt(settings, '--facilitator-url', `${baseUrl}/`)
  expect(exitCode).toBe(0)
  expect(json).toMatchObject({ opened: true, wallet: privateKeyToAccount(privateKey).address })
  expect(json.call).toBeUndefined()
  expect(readFileSync(configurationFile(settings.homeFolder), 'utf8')).not.toContain(privateKey.slice(2))

  const folder = join(repositoryRoot, 'docs', 'node_modules', '.cache', 'mintmark-try')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'shop.mjs'), json.program)
  const shop = spawn(process.execPath, ['--conditions=@mintmark/source', 'shop.mjs'], {
    cwd: folder,
    env: { ...process.env, PORT: '0', MINTMARK_FACILITATOR_TOKEN: json.token },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void shop.kill('SIGKILL'))
  const [url] = await once(createInterface(shop.stdout), 'line')
  const customer = new x402Client().register('eip155:*', new ExactEvmScheme(sandbox.accounts.buyer))
  const response = await wrapFetchWithPayment(fetch, customer)(String(url))
  expect([response.status, await response.text()]).toEqual([200, 'Sunny, 24 °C'])
})

test('mintmark try ends with a typed error where it cannot open an account, and overwrites no other key', async () => {
  const nowhere = { homeFolder: createFolder(), variables: {} }
  expect(await tryIt(nowhere)).toMatchObject({ exitCode: 2, json: { error: { kind: 'Usage' } } })
  const invalid = { ...createPlace(), variables: { MINTMARK_PRIVATE_KEY: 'mine' } }
  expect((await tryIt(invalid)).exitCode).toBe(2)
  await using closed = await startSandbox({ env: { TRIAL_SETTLES: '0' } })
  const { baseUrl: url } = closed.credentials.facilitator
  expect((await tryIt(nowhere, '--facilitator-url', url)).json.error).toMatchObject({
    kind: 'Forbidden',
    reason: 'accounts_not_opened',
    exitCode: 5,
  })
  const place = createPlace()
  await tryIt(place)
  const profile = readProfile(place.homeFolder)
  const other = await tryIt(place, '--facilitator-url', url)
  expect(other.json.error.message).toContain('has the key of another facilitator')
  expect(readProfile(place.homeFolder)).toEqual(profile)
})
