import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promoCodeCards } from '@mintmark/cards'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { testChain } from '@mintmark/devkit/chain/testing'
import { startFacilitator } from '@mintmark/facilitator-server'
import { startGateway } from '@mintmark/gateway-server'
import { createLog, createSecretKey, openDatabase, readEnvironment } from '@mintmark/server-kit'
import { createGateway } from '@mintmark/transport'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Tables } from '../../../packages/facilitator-server/src/database/tables.ts'
import { signedBody } from '../../../packages/facilitator-server/src/engine/testing.ts'
import { testAccount, testEnvironment } from '../../../packages/facilitator-server/src/testing.ts'
import { repositoryRoot } from '../../../tools/workspace.ts'
import { findPostgresPrograms, type PostgresServer, startPostgresServer } from './postgres-server.ts'

const SURPLUS = 10n ** 18n

const stops = new AsyncDisposableStack()
/**
 * The embedded PostgreSQL has no programs for backups, so that a machine without another one cannot run this
 * test.
 */
const programs = findPostgresPrograms() ?? ''
const guide = readFileSync(join(repositoryRoot, 'docs/guides/backups.md'), 'utf8')

let chain: Awaited<ReturnType<typeof testChain>>
let folder: string
let servers: [old: PostgresServer, restored: PostgresServer]
let settings: Record<string, string>

async function prepare(): Promise<void> {
  chain = await testChain()
  folder = mkdtempSync(join(tmpdir(), 'mintmark-backup-'))
  stops.defer(() => rmSync(folder, { recursive: true }))
  servers = [await startPostgresServer(programs), await startPostgresServer(programs)]
  for (const server of servers) stops.defer(() => server.stop())
  settings = {
    ...testEnvironment({ chain, signerKeys: [devAccount(9).privateKey] }),
    SECRET_KEYS: createSecretKey('k1'),
    GATEWAY_PORT: '0',
    // An operator's credit is owed to its payer like a deposit.
    TREASURY_SURPLUS_WEI: String(SURPLUS),
    CHARGE_ON: 'settled',
  }
  await chain.client.setBalance({ address: chain.treasury, value: SURPLUS })
  // The balance is compared at a final block.
  await chain.client.mine({ blocks: 8 })
  writeNpx(join(folder, 'bin'))
}
afterAll(() => stops.disposeAsync())

/** Writes a program that runs the commands of this checkout in place of published packages. */
function writeNpx(bin: string): void {
  mkdirSync(bin)
  const script = `#!/bin/sh
name="$1"
shift
exec "${process.execPath}" --conditions=@mintmark/source "${repositoryRoot}/packages/\${name#@mintmark/}/src/cli.ts" "$@"
`
  writeFileSync(join(bin, 'npx'), script)
  chmodSync(join(bin, 'npx'), 0o755)
}

/** Returns the commands of the guide that contain a text: one block. */
function findCommands(text: string): string {
  const blocks = [...guide.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
  const found = blocks.filter((block) => block.includes(text))
  if (found.length !== 1) throw new Error(`The guide has ${found.length} blocks with ${text}`)
  return found[0] ?? ''
}

/** Executes commands of the guide as an operator would, on one of the servers. */
function execute(commands: string, server: PostgresServer, variables: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync('sh', ['-eu', '-c', commands], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: folder,
    encoding: 'utf8',
    env: {
      ...settings,
      PATH: [join(folder, 'bin'), programs, process.env.PATH].join(':'),
      DATABASE_URL: server.getUrl('mintmark', 'mintmark'),
      ADMIN_URL: server.getUrl('postgres', 'postgres'),
      ...variables,
    },
  })
  return { status, stdout, stderr }
}

/** Executes commands that must succeed. */
function executeAll(commands: string, server: PostgresServer): string {
  const { status, stdout, stderr } = execute(commands, server)
  if (status !== 0) throw new Error(`Status ${status} of ${commands}:\n${stdout}${stderr}`)
  return stdout
}

const WALLET = '0x00000000000000000000000000000000000000bb'
const CARD = {
  name: 'Two for one',
  nftAddress: '0x00000000000000000000000000000000000000aa',
  startTime: '2026-01-01T00:00:00Z',
  endTime: '2099-12-31T23:59:59Z',
  totalIssued: 100,
}

const silent = createLog('test', 'silent')
const environmentOf = (server: PostgresServer) =>
  readEnvironment({ ...settings, DATABASE_URL: server.getUrl('mintmark', 'mintmark') })

/** Starts a facilitator, settles, and returns the status of each settle. */
async function settle(server: PostgresServer, token: string, bodies: readonly object[]): Promise<number[]> {
  const { url, close } = await startFacilitator(environmentOf(server), silent)
  const statuses: number[] = []
  for (const body of bodies) {
    const response = await fetch(`${url}/settle`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    })
    await response.text()
    statuses.push(response.status)
  }
  await close()
  return statuses
}

async function withGateway<Result>(
  server: PostgresServer,
  credentials: { apiKey: string; secret: string },
  work: (gateway: ReturnType<typeof createGateway>) => Promise<Result>,
): Promise<Result> {
  const { url, close } = await startGateway(environmentOf(server), silent)
  try {
    return await work(createGateway({ baseUrl: url, credentials }))
  } finally {
    await close()
  }
}

describe.skipIf(programs === '')("the guide's commands for backups, with an installed PostgreSQL", () => {
  beforeAll(prepare)

  it('restore both servers into a new database and find the payments after the backup', async () => {
    const [old, restored] = servers
    executeAll(findCommands('create database mintmark'), old)
    executeAll(findCommands('npx @mintmark/gateway-server migrate'), old)
    const key = JSON.parse(
      executeAll(`npx @mintmark/gateway-server keys create --project shop --wallet ${WALLET}`, old),
    )
    const database = openDatabase<Tables>({ url: old.getUrl('mintmark', 'mintmark'), max: 1 })
    const { token } = await testAccount(database.system, { settles: 10 })
    await database.close()
    const payer = devAccount(1)
    const before = await signedBody({ account: payer })
    expect(await settle(old, token, [before])).toEqual([200])
    const card = await withGateway(old, key, (gateway) => promoCodeCards.create(gateway, CARD))

    executeAll(findCommands('pg_dump'), old)
    executeAll(findCommands('pg_basebackup'), old)
    const block = await chain.client.getBlockNumber()
    const after = await signedBody({ account: payer })
    expect(await settle(old, token, [after])).toEqual([200])
    executeAll(`npx @mintmark/gateway-server keys revoke ${key.apiKey}`, old)

    executeAll(findCommands('create database mintmark'), restored)
    executeAll(findCommands('pg_restore --no-owner'), restored)
    expect(executeAll(findCommands('npx @mintmark/gateway-server migrate'), restored)).toBe(
      'The schema is up to date.\n'.repeat(2),
    )
    const doctor = execute(findCommands('facilitator-server doctor'), restored)
    expect(doctor).toMatchObject({ status: 1, stderr: '' })
    expect(doctor.stdout).toContain('Run settlements audit')
    const audit = execute(findCommands('settlements audit'), restored, {
      BLOCK_BEFORE_BACKUP: String(block),
    })
    expect(audit.status).toBe(1)
    const { nonce } = after.paymentPayload.payload.authorization
    expect(JSON.parse(audit.stdout)).toMatchObject({
      problems: [{ problem: 'no settlement', payment: { nonce } }],
    })
    expect(JSON.parse(executeAll(findCommands('ledger check'), restored))).toMatchObject({ problems: [] })

    // The authorization is used, so the same payment is not made again. New payments use the signer's next
    // nonces.
    const next = await signedBody({ account: payer })
    const [repeated, settled] = await settle(restored, token, [after, next])
    expect(repeated).not.toBe(200)
    expect(settled).toBe(200)
    // The key was revoked after the backup, and works again.
    const keys = execute(findCommands('gateway-server keys list'), restored)
    expect(keys.stdout).toContain(key.apiKey)
    const found = await withGateway(restored, key, (gateway) => promoCodeCards.get(gateway, { id: card.id }))
    // Each start has another port.
    expect({ ...found, qrCodeUrl: card.qrCodeUrl }).toEqual(card)
  })
})
