import { audit } from '@mintmark/admin'
import { promoCodeCards } from '@mintmark/cards'
import { captureCommand } from '@mintmark/devkit/command-output'
import { createLog, createSecretKey, readEnvironment, runCommandLine } from '@mintmark/server-kit'
import { createGateway } from '@mintmark/transport'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { gatewayCommands } from '../../commands/commands.ts'
import { startGateway } from '../../main/server.ts'
import { createGatewayDatabase } from '../../testing/gateway.ts'

/** Makes a time of a card due, without an entry. */
async function makeDue(url: string, id: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('set session_replication_role = replica')
  await client.query(
    `update gateway.cards set time_due_at = clock_timestamp() - interval '1 second' where id = $1`,
    [id],
  )
  await client.end()
}

it('a running gateway records the changes of keys, jobs and commands, and what two of its processes record is one log', async () => {
  const place = await createGatewayDatabase()
  const settings = { DATABASE_URL: place.url, SECRET_KEYS: createSecretKey('k1'), GATEWAY_PORT: '0' }
  const run = (...args: string[]) =>
    captureCommand(settings, () =>
      runCommandLine({ program: 'mintmark-gateway', version: '0' }, gatewayCommands, args),
    )
  const scopes = 'cards:read,cards:write,audit:read'
  const { out } = await run('keys', 'create', '--project', 'shop', '--name', 'backend', '--scopes', scopes)
  const created = JSON.parse(out)
  const log = createLog('gateway', 'silent')
  const start = () => startGateway(readEnvironment(settings), log)
  const gateways = [await start(), await start()] as const
  onTestFinished(async () => {
    for (const gateway of gateways) await gateway.close()
    await place.drop()
  })
  const [first, second] = gateways.map(({ url }) => createGateway({ baseUrl: url, credentials: created }))
  if (first === undefined || second === undefined) throw new Error('There are two gateways')

  const card = {
    nftAddress: '0x00000000000000000000000000000000000000a1',
    totalIssued: 1,
    startTime: '2026-01-01T00:00:00Z',
    endTime: '2099-01-01T00:00:00Z',
  }
  const { id } = await promoCodeCards.create(first, { ...card, name: 'Card' })
  await promoCodeCards.update(second, { id, name: 'Renamed' })
  await makeDue(place.url, id)
  await expect
    .poll(async () => {
      await Promise.all(gateways.map((gateway) => gateway.runJobs()))
      const { list } = await audit.list(first, { recordType: 'cards', recordId: String(id) })
      return list.map(({ actor, action }) => `${actor} ${action}`)
    })
    .toEqual(['job:passed times UPDATED', `key:${created.apiKey} UPDATED`, `key:${created.apiKey} CREATED`])
  expect(await audit.verify(second)).toMatchObject({ valid: true, entries: 6 })
  const { list: keys } = await audit.list(first, { actor: 'command:keys create' })
  expect(keys.map(({ recordType }) => recordType)).toEqual(['api_keys', 'api_keys', 'projects'])
  expect((await run('audit', 'verify')).out).toMatch(/^Project \d+: all 6 entries are intact, up to 6:/)
})
