import { assets } from '@mintmark/contracts'
import { CompiledQuery, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { keepWithoutStatistics } from '../../../testing/copy-rows.ts'
import { type TestGateway, type TestKey, testGateway } from '../../../testing/gateway.ts'
import { captureStatements, isCount, isPage, type Statement } from '../../../testing/list-statements.ts'
import { clientOf } from '../../../testing/samples/calls.ts'

const CHAIN = '84532'
/**
 * Two contracts of the project, of which the chain has the transfers of the first one. The third one belongs
 * to another project.
 */
const CONTRACTS = ['a1', 'a2', 'a3'].map((end) => `0x${end.padStart(40, '0')}`)
const [INDEXED = '', , FOREIGN = ''] = CONTRACTS
const WALLETS = ['b1', 'b2', 'b3'].map((end) => `0x${end.padStart(40, '0')}`)
const RARE_WALLET = `0x${'c1'.padStart(40, '0')}`
const TRANSFERS = 60
/** More than a list has that is read by all of its rows. */
const MANY = 9000
/** How many blocks a count or a page may read. Reading all transfers takes more than a thousand. */
const MAX_BUFFERS = 250

interface BufferPlan {
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
}

let gateway: TestGateway
let project: TestKey
let stranger: TestKey
beforeAll(async () => {
  gateway = await testGateway()
  await keepWithoutStatistics(gateway)
  project = gateway.key
  stranger = await gateway.newKey({ project: 'stranger' })
  for (const [{ projectId }, address] of [[project, INDEXED] as const, [stranger, FOREIGN] as const])
    await sql`
      insert into gateway.contracts (project_id, chain_id, nft_address, name, nft_type, owner, indexed, assets_written)
      values (${projectId}, ${CHAIN}, ${address}, 'Prints', 'ERC1155', '0xa', true, true)`.execute(owner())
  await addChainTransfers(INDEXED, TRANSFERS)
  await addChainTransfers(FOREIGN, TRANSFERS)
  for (const { projectId } of [project, stranger]) await addTransfers(projectId, TRANSFERS)
})
afterAll(() => gateway.close())

const owner = () => gateway.owner.system

/** The wallets of the transfer `n`: each pair of them, also twice the same. */
const wallets = sql`(${WALLETS}::text[])[1 + n % 3], (${WALLETS}::text[])[1 + n / 3 % 3]`

async function addChainTransfers(address: string, count: number, from = 0): Promise<void> {
  await sql`
    insert into gateway.chain_transfers (chain_id, block_number, block_time, tx_hash, log_index, batch_index, nft_address, nft_id,
      from_address, to_address, quantity)
    select ${CHAIN}, n, now(), ${address} || n, 0, 0, ${address}, (n % 2)::text, ${wallets}, 1 from generate_series(${from + 1}::int, ${from + count}::int) n`.execute(
    owner(),
  )
}

async function addTransfers(projectId: number, count: number): Promise<void> {
  await sql`
    insert into gateway.transfers (project_id, chain_id, nft_address, nft_id, from_address, to_address, quantity)
    select ${projectId}, ${CHAIN}, (${CONTRACTS.slice(0, 2)}::text[])[1 + n % 2], (n / 2 % 2)::text, ${wallets}, 1
    from generate_series(1, ${count}::int) n`.execute(owner())
}

type Filter = NonNullable<Parameters<typeof assets.transfers>[1]>

const filters: readonly Filter[] = [undefined, ...CONTRACTS].flatMap((nftAddress) =>
  [undefined, '1'].flatMap((nftId) =>
    [undefined, WALLETS[0]].map((address) => ({
      ...(nftAddress && { nftAddress }),
      ...(nftId && { nftId }),
      ...(address && { address }),
    })),
  ),
)

async function listExpected({ nftAddress, nftId, address }: Filter): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from gateway.transfers t where project_id = ${project.projectId} and (${isMatching({ nftAddress, nftId, address })})
    union all
    select id from gateway.chain_transfers t where nft_address = ${INDEXED} and (${isMatching({ nftAddress, nftId, address })})
    order by id`.execute(owner())
  return rows.map(({ id }) => id)
}

const isMatching = ({
  nftAddress = null,
  nftId = null,
  address = null,
}: { [name in keyof Filter]: Filter[name] | null }) => sql`
  (${nftAddress}::text is null or nft_address = ${nftAddress}) and (${nftId}::text is null or nft_id = ${nftId})
  and (${address}::text is null or ${address} in (from_address, to_address))`

it.each(filters)(
  'the transfers of a project are on exactly one page each, by page numbers and by cursors: %o',
  async (filter) => {
    const expected = await listExpected(filter)
    const client = clientOf(gateway, project)
    const pageSize = 7
    for (const [orderBy, ids] of [
      ['id', expected],
      ['id desc', expected.toReversed()],
    ] as const) {
      const numbered: number[] = []
      const pages = Math.ceil(expected.length / pageSize)
      for (let pageNumber = 1; pageNumber <= pages; pageNumber += 1) {
        const page = await assets.transfers(client, { ...filter, orderBy, pageNumber, pageSize })
        expect(page.totalRow).toBe(expected.length)
        numbered.push(...page.list.map(({ id }) => id))
      }
      expect(numbered).toEqual(ids)
      const followed: number[] = []
      for await (const { id } of assets.transfers.items(client, { ...filter, orderBy, pageSize }))
        followed.push(id)
      expect(followed).toEqual(ids)
    }
  },
)

it('the transfers of a project are those of the project of the connection only', async () => {
  const listAll = async ({ projectId }: TestKey) => {
    const { rows } = await sql<{ id: number }>`
        select id from gateway.list_transfer_ids(null, null, null, null, null, false, 0, null) as id`.execute(
      gateway.database.forProject(projectId),
    )
    return rows.map(({ id }) => id)
  }
  const own = await listAll(project)
  expect(own).toEqual(await listExpected({}))
  const others = await listAll(stranger)
  expect(others).toHaveLength(2 * TRANSFERS)
  expect(others.filter((id) => own.includes(id))).toEqual([])
})

it('the transfers of a project of a rare wallet are found among many of others without reading these', async () => {
  await addTransfers(project.projectId, MANY)
  await addChainTransfers(FOREIGN, MANY, TRANSFERS)
  await sql`
      insert into gateway.transfers (project_id, chain_id, nft_address, nft_id, from_address, to_address, quantity)
      values (${project.projectId}, ${CHAIN}, ${INDEXED}, '1', ${RARE_WALLET}, ${RARE_WALLET}, 1)`.execute(
    owner(),
  )
  const statements = await captureStatements(async () => {
    const { totalRow } = await assets.transfers(clientOf(gateway, project), { address: RARE_WALLET })
    expect(totalRow).toBe(1)
  })
  const listed = statements.filter((each) => isPage(each) || isCount(each))
  expect(listed).toHaveLength(2)
  for (const statement of listed) expect(await countBuffers(statement)).toBeLessThan(MAX_BUFFERS)
})

it('the transfers of a project in the middle of many are found without reading the rows before them', async () => {
  const statements = await captureStatements(async () => {
    const { list } = await assets.transfers(clientOf(gateway, project), { pageNumber: MANY / 20 / 2 })
    expect(list).toHaveLength(20)
  })
  for (const statement of statements.filter(isPage))
    expect(await countBuffers(statement)).toBeLessThan(MAX_BUFFERS)
})

/**
 * Counts the blocks that a statement reads. The first run of a function on a connection also reads the
 * catalog.
 */
async function countBuffers({ text, values }: Statement): Promise<number> {
  const explain = CompiledQuery.raw(`explain (analyze, buffers, format json) ${text}`, [...values])
  const runs: number[] = []
  for (let run = 0; run < 3; run += 1) {
    const { rows } = await gateway.database
      .forProject(project.projectId)
      .executeQuery<{ 'QUERY PLAN': [{ Plan: BufferPlan }] }>(explain)
    for (const { 'QUERY PLAN': plans } of rows)
      runs.push(plans[0].Plan['Shared Hit Blocks'] + plans[0].Plan['Shared Read Blocks'])
  }
  return Math.min(...runs)
}
