import { createHash } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { campaigns, cardSettings, media, membershipCards, promoCodeCards } from '@mintmark/cards'
import { contracts, lazyMinting, nfts } from '@mintmark/contracts'
import { walletInfo, words } from '@mintmark/wallet'
import { sql } from 'kysely'
import pg from 'pg'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { cardBody, createCardClient } from '../../testing/cards.ts'
import { TEST_URL, type TestGateway, testGateway } from '../../testing/gateway.ts'
import { clientOf, sampleProject } from '../../testing/samples/calls.ts'
import { newAddress, type SampleProject } from '../../testing/samples/sample.ts'
import { deleteUnusedMedia, PICTURE_COLUMNS } from './delete-unused.ts'
import { createFolderStorage } from './storage/folder-storage.ts'
import type { MediaStorage } from './storage/media-storage.ts'

let gateway: TestGateway
let project: SampleProject
let storage: MediaStorage
beforeAll(async () => {
  gateway = await testGateway()
  project = await sampleProject(gateway, 'pictures')
  storage = createFolderStorage(gateway.mediaFolder)
})
afterAll(() => gateway.close())

let shade = 0
/** A picture that no other test has, also after its colors are compressed. */
function newPicture(width = 40, height = 20) {
  shade += 1
  const background = { r: (shade * 53) % 256, g: (shade * 101) % 256, b: (shade * 197) % 256 }
  return sharp({ create: { width, height, channels: 3, background } })
}
const newPng = async () => (await newPicture().png().toBuffer()).toString('base64')

async function upload(content?: string | Buffer, client = project.client) {
  const text = typeof content === 'string' ? content : (content?.toString('base64') ?? (await newPng()))
  return await media.upload(client, { content: text })
}
const refusal = (content: Buffer) =>
  upload(content).then(undefined, (error) => error.issues?.[0]?.message ?? error)
const open = async (url: string, init?: RequestInit) =>
  await gateway.app.request(url.replace(TEST_URL, ''), init)
const readStored = async (url: string) => Buffer.from(await (await open(url)).arrayBuffer())

const listFiles = async () =>
  await readdir(join(gateway.mediaFolder, String(project.projectId))).catch(() => [])
const ignore = { error() {} }
const sweep = (from = storage) => deleteUnusedMedia(gateway.owner.system, from, ignore)
/** Makes the unused pictures older. */
const passHours = (hours: number) =>
  sql`update gateway.media set unused_since = unused_since - make_interval(hours => ${hours})`.execute(
    gateway.owner.system,
  )

/** Many frames, or a PNG, with little content. */
const animation = (frames: number, width = 10) =>
  sharp(
    Buffer.alloc(width * width * 3 * frames).map((_, index) => 50 * Math.floor(index / (width * width * 3))),
    {
      raw: { width, height: width * frames, channels: 3, pageHeight: width },
    },
  )
    .gif({ delay: Array.from({ length: frames }, () => 100) })
    .toBuffer()

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type), data])
  const numbers = Buffer.alloc(8)
  numbers.writeUInt32BE(data.length)
  numbers.writeUInt32BE(crc32(content), 4)
  return Buffer.concat([numbers.subarray(0, 4), content, numbers.subarray(4)])
}
function crc32(bytes: Buffer): number {
  let crc = -1
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}
/** A PNG that says it is huge. */
function createBomb(edge: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(edge)
  header.writeUInt32BE(edge, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10])
  const data = chunk('IDAT', deflateSync(Buffer.alloc(100_000)))
  return Buffer.concat([signature, chunk('IHDR', header), data, chunk('IEND', Buffer.alloc(0))])
}

describe('an uploaded picture', () => {
  it.each(['png', 'jpeg', 'webp', 'gif'] as const)(
    'an uploaded picture in the format %s is served as WebP with its size',
    async (format) => {
      const { url, width, height, bytes } = await upload(await newPicture().toFormat(format).toBuffer())
      const response = await open(url)
      expect(response.headers.get('content-type')).toBe('image/webp')
      const stored = Buffer.from(await response.arrayBuffer())
      expect(await sharp(stored).metadata()).toMatchObject({ format: 'webp', width, height, size: bytes })
      expect([width, height]).toEqual([40, 20])
      expect(url).toBe(`${TEST_URL}/media/${project.projectId}/${sha256(stored)}.webp`)
    },
  )
  const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

  it('an uploaded picture is stored upright, at most 2,048 pixels long, and without the place where it was taken', async () => {
    const IFD3 = { GPSLatitude: '52/1 31/1 0/1', GPSLatitudeRef: 'N' }
    const photo = newPicture(3000, 1500).withExif({ IFD0: { Copyright: 'secret place' }, IFD3 })
    const jpeg = await photo.jpeg().withMetadata({ orientation: 6 }).toBuffer()
    expect((await sharp(jpeg).metadata()).exif).toBeDefined()
    const { url, width, height } = await upload(jpeg)
    expect([width, height]).toEqual([1024, 2048])
    const stored = await readStored(url)
    const metadata = await sharp(stored).metadata()
    expect([metadata.exif, metadata.orientation]).toEqual([undefined, undefined])
    expect(stored.includes('secret place')).toBe(false)
  })

  it('an uploaded animation stays one', async () => {
    const { url, width, height } = await upload(await animation(5))
    expect([width, height]).toEqual([10, 10])
    expect(await sharp(await readStored(url), { animated: true }).metadata()).toMatchObject({ pages: 5 })
  })

  it('an uploaded picture is stored once in a project, also by two uploads at once, and again in another project', async () => {
    const content = await newPng()
    const before = (await listFiles()).length
    // Both are written before either is stored.
    const writing: (() => void)[] = []
    const write: MediaStorage['write'] = async (...object) => {
      await storage.write(...object)
      await new Promise<void>((resolve) => {
        writing.push(resolve)
        if (writing.length === 2) for (const end of writing) end()
      })
    }
    const app = await gateway.another({ media: { storage: { ...storage, write } } })
    const request = () => project.key.request({ path: '/api/v1/media/upload', body: { content } })
    const responses = await Promise.all([app.fetch(request()), app.fetch(request())])
    const [first, second] = await Promise.all(responses.map((response) => response.json()))
    expect(second).toMatchObject({ code: 200, data: first.data })
    expect((await upload(content)).url).toBe(first.data.url)
    expect(await listFiles()).toHaveLength(before + 2)
    await sweep()
    expect(await listFiles()).toHaveLength(before + 1)
    const other = await sampleProject(gateway, 'other pictures')
    expect((await upload(content, other.client)).url).not.toBe(first.data.url)
  })

  it('an uploaded picture keeps nothing of a script that its file contains', async () => {
    const gif = Buffer.concat([await animation(2), Buffer.from('/*<script>alert(1)</script>*/;')])
    const { url } = await upload(gif)
    expect((await readStored(url)).includes('script')).toBe(false)
  })
})

describe('an upload', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'
  it.each([
    ['an SVG', Buffer.from(svg)],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a PDF', Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n')],
    ['nothing of a PNG but its signature', Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10])],
  ])('an upload of %s is refused', async (_, file) => {
    expect(await refusal(file)).toBe('Expected a PNG, JPEG, WebP or GIF picture')
  })

  it.each(['tiff', 'avif'] as const)('an upload of the format %s is refused', async (format) => {
    expect(await refusal(await newPicture().toFormat(format).toBuffer())).toMatch(/^Expected a PNG/)
  })

  it.each(['png', 'jpeg', 'webp', 'gif'] as const)(
    'an upload of an incomplete %s is refused',
    async (format) => {
      const picture = newPicture(400, 300).composite([{ input: await newPicture(90, 90).png().toBuffer() }])
      const file = format === 'gif' ? await animation(5) : await picture.toFormat(format).toBuffer()
      expect(await refusal(file.subarray(0, Math.floor(file.length * 0.8)))).toMatch(/damaged|Expected a PNG/)
    },
  )

  it('an upload with too many pixels or frames is refused before it is decoded', async () => {
    const pixels = 'Expected a picture of at most 50 million pixels, all frames together'
    expect(await refusal(createBomb(50_000))).toBe(pixels)
    expect(await refusal(createBomb(7072))).toBe(pixels)
    expect(await refusal(await animation(301))).toBe('Expected an animation of at most 300 frames')
  })

  it('an upload of up to 5 MiB is accepted although other bodies are smaller', async () => {
    const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 }
    const file = await sharp({
      create: { width: 1300, height: 1300, channels: 3, background: '#000', noise },
    })
      .png()
      .toBuffer()
    expect(file.length).toBeGreaterThan(4_000_000)
    // The key can call on at once.
    const app = await gateway.another({ rateLimit: { perSecond: 1, burst: 200 } })
    const body = { content: file.toString('base64') }
    for (const request of [{ path: '/api/v1/media/upload', body }, { path: '/api/v1/card/stores' }])
      expect((await app.fetch(project.key.request(request))).status).toBe(200)
    const tooLarge = Buffer.alloc(5 * 1024 * 1024 + 3)
    expect(await refusal(tooLarge)).toContain('bytes')
  })

  it('an upload that announces 4 GB is refused before anything of it is read', async () => {
    const request = project.key.request({ path: '/api/v1/media/upload', body: '{}' })
    const headers = new Headers(request.headers)
    headers.set('content-length', String(4 * 1024 ** 3))
    const response = await gateway.app.request('/api/v1/media/upload', {
      method: 'POST',
      headers,
      body: '{}',
    })
    expect(response.status).toBe(413)
  })

  it.each(['', '!', 'AAA', 'data:image/png;base64,AAAA'])(
    'an upload of the text %j is refused',
    async (content) => {
      const { status, json } = await project.key.call({ path: '/api/v1/media/upload', body: { content } })
      expect([status, json.data]).toMatchObject([400, { issues: [{ path: 'content' }] }])
    },
  )

  it('an upload needs the scope media:write', async () => {
    const key = await gateway.newKey({ project: 'pictures', scopes: ['cards:write'] })
    await expect(upload(undefined, clientOf(gateway, key))).rejects.toMatchObject({ status: 403 })
  })

  it('an upload is refused beyond the bytes that a project may have', async () => {
    const small = await testGateway({ media: { bytesPerProject: 100 } })
    try {
      const { client } = await sampleProject(small, 'small')
      const content = await newPng()
      await upload(content, client)
      await expect(upload(undefined, client)).rejects.toMatchObject({ reason: 'MEDIA_FULL' })
      // What is stored takes nothing more.
      await upload(content, client)
    } finally {
      await small.close()
    }
  })

  it('an upload is refused while what is being removed takes its room', async () => {
    const small = await testGateway({ media: { bytesPerProject: 100 } })
    try {
      const { client } = await sampleProject(small, 'small')
      await upload(undefined, client)
      const later = sql`update gateway.media set unused_since = unused_since - interval '25 hours'`
      await later.execute(small.owner.system)
      const broken = { ...storage, remove: () => Promise.reject(new Error('the disk is broken')) }
      await expect(deleteUnusedMedia(small.owner.system, broken, ignore)).rejects.toThrow('1 picture could')
      await expect(upload(undefined, client)).rejects.toMatchObject({ reason: 'MEDIA_FULL' })
      await deleteUnusedMedia(small.owner.system, createFolderStorage(small.mediaFolder), ignore)
      await upload(undefined, client)
    } finally {
      await small.close()
    }
  })

  it('an upload whose object cannot be written takes room until the job has removed what was written', async () => {
    const failing = { ...storage, write: () => Promise.reject(new Error('full')) }
    const broken = await testGateway({ media: { bytesPerProject: 100 } })
    try {
      const { client, key } = await sampleProject(broken, 'broken')
      const app = await broken.another({ media: { storage: failing, bytesPerProject: 100 } })
      const content = await newPng()
      const request = key.request({ path: '/api/v1/media/upload', body: { content } })
      expect((await app.fetch(request)).status).toBe(500)
      await expect(upload(content, client)).rejects.toMatchObject({ reason: 'MEDIA_FULL' })
      await deleteUnusedMedia(broken.owner.system, createFolderStorage(broken.mediaFolder), ignore)
      const { url } = await upload(content, client)
      await deleteUnusedMedia(broken.owner.system, createFolderStorage(broken.mediaFolder), ignore)
      expect((await broken.app.request(url.replace(TEST_URL, ''))).status).toBe(200)
    } finally {
      await broken.close()
    }
  })
})

/** Tables that name no picture, each with the reason. Those of people and of chains have no project. */
const LEFT_OUT_TABLES: Readonly<Record<string, string>> = {
  coupon_codes: 'Codes that people enter',
  totals: 'Counts',
  api_key_secrets: 'A key is no record',
  api_keys: 'A key is no record',
  audit_entries: 'A history of what records named',
  card_counts: 'Counts',
  card_stores: 'Copies the stores of cards',
  card_verifications: 'What devices and people did',
  card_visits: 'What devices and people did',
  events: 'A history of what records named',
  idempotency_keys: 'A response is repeated, also after its record has changed',
  invitations: 'People and their roles',
  media: 'The pictures themselves',
  members: 'People and their roles',
  migrations: 'Belongs to the schema',
  minter_keys: 'Written by the server',
  nft_traits: 'Copies the properties of NFTs',
  operator_invitations: 'Created by operators',
  projects: 'Created by operators',
  publishable_keys: 'A key is no record',
  row_changes: 'A history of what records named',
  session_ends: 'Written by the server',
  sql_functions: 'Belongs to the schema',
  token_data_changes: 'A history of what records named',
  webhook_deliveries: 'Written by the server',
}
/** Columns that name no picture, in whatever table, by the reason. */
const LEFT_OUT_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  'Names of wallets, groups, contracts, chains and tokens': [
    'address',
    'answered_by',
    'bidder',
    'buyer',
    'chain_id',
    'creator',
    'fan',
    'first_owner',
    'from_address',
    'group_id',
    'market_address',
    'minter',
    'nft_address',
    'nft_id',
    'nft_type',
    'offerer',
    'other',
    'owner',
    'pay_token_address',
    'pay_token_type',
    'primary_sale_recipient',
    'recipient',
    'reference_owner',
    'reserved_for',
    'royalty_recipient',
    'seller',
    'sender',
    'to_address',
    'token_id',
    'top_bidder',
    'updated_by',
    'wallet',
  ],
  'Hashes, numbers and signatures': [
    'hash',
    'leaf',
    'merkle_root',
    'order_no',
    'offer_no',
    'paid_block_hash',
    'refund_hash',
    'serial_no',
    'signature',
    'tx_id',
    'uid',
  ],
  'One of a few values, or written by the server': [
    'accent_color',
    'actor',
    'delivery',
    'event',
    'events',
    'holder',
    'outcome',
    'priced_by',
    'program',
    'qr_code',
    'refund',
    'resolved_by',
    'status',
    'stock',
    'time_zone',
    'whitelist_mode',
  ],
  'Copies of other columns': [
    'applicable_stores',
    'code_key',
    'name_key',
    'price_key',
    'search_key',
    'search_name',
    'store_keys',
    'total_key',
  ],
  'Codes that a person enters': ['coupon_code'],
  Secrets: ['previous_secret', 'secret'],
}

describe('the address of a picture', () => {
  it('the address of a picture permits caching for ever, and neither scripts nor guesses of its type', async () => {
    const { url } = await upload()
    const { headers } = await open(url)
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    const etag = headers.get('etag') ?? ''
    const cached = await open(url, { headers: { 'if-none-match': `"x", W/${etag}` } })
    expect([cached.status, await cached.text()]).toEqual([304, ''])
  })

  it('the address of a picture serves its parts and its head', async () => {
    const { url, bytes } = await upload()
    const whole = await readStored(url)
    const part = async (range: string, more: Record<string, string> = {}) => {
      const response = await open(url, { headers: { range, ...more } })
      const body = Buffer.from(await response.arrayBuffer())
      return [response.status, response.headers.get('content-range'), body]
    }
    expect(await part('bytes=2-5')).toEqual([206, `bytes 2-5/${bytes}`, whole.subarray(2, 6)])
    expect(await part('bytes=4-')).toEqual([206, `bytes 4-${bytes - 1}/${bytes}`, whole.subarray(4)])
    expect(await part('bytes=-3')).toEqual([
      206,
      `bytes ${bytes - 3}-${bytes - 1}/${bytes}`,
      whole.subarray(-3),
    ])
    expect(await part(`bytes=0-${bytes * 2}`)).toEqual([206, `bytes 0-${bytes - 1}/${bytes}`, whole])
    expect((await part(`bytes=${bytes}-`))[0]).toBe(416)
    expect((await part('bytes=-0'))[0]).toBe(416)
    for (const range of ['bytes=5-2', 'bytes=0-1,3-4', 'lines=1-2', 'bytes=-'])
      expect((await part(range))[0], range).toBe(200)
    expect((await part('bytes=0-1', { 'if-range': '"other"' }))[0]).toBe(200)
    const head = await open(url, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      `${bytes}`,
      '',
    ])
  })

  it('the address of a picture leads to no other file and to no list', async () => {
    const { url } = await upload()
    await writeFile(join(gateway.mediaFolder, 'secret'), 'secret')
    const path = url.replace(TEST_URL, '')
    const hash = path.slice(-69)
    const others = ['/media', '/media/', `/media/${project.projectId}`, `/media/${project.projectId}/`]
    const escapes = ['/media/1/../secret', '/media/1/%2e%2e%2fsecret', `/media/..%2f${hash}`, '/media/secret']
    const wrong = [`/media/999999999/${hash}`, `/media/0/${hash}`, path.toUpperCase(), `${path}/x`]
    for (const each of [...others, ...escapes, ...wrong]) {
      const response = await open(each)
      expect([response.status, (await response.text()).includes('secret')], each).toEqual([404, false])
    }
  })

  it('the address of a picture whose file is lost is missing', async () => {
    const { url } = await upload()
    const { object } = await gateway.owner.system
      .selectFrom('gateway.media')
      .select('object')
      .where('hash', '=', url.slice(-69, -5))
      .executeTakeFirstOrThrow()
    await storage.remove(object)
    expect((await open(url)).status).toBe(404)
  })
})

describe('a record', () => {
  it('a record of each kind accepts the address of an uploaded picture, and the page of a card shows it', async () => {
    const { url } = await upload()
    const card = await createCardClient(gateway, project.key).create('promoCodeCards', { logoUrl: url })
    const page = await open(String(card.qrCodeUrl).replace('/qr/', '/c/').replace('.svg', ''))
    expect(await page.text()).toContain(`src="${url}"`)
    await walletInfo.add(project.client, { address: newAddress(), profilePhoto: url })
    await campaigns.create(project.client, {
      name: 'Summer',
      program: 'promoCodeCards',
      cards: 1,
      card: { ...cardBody, logoUrl: url },
    })
  })

  it('a record cannot name a picture that is not stored, or of another project', async () => {
    const { url } = await upload()
    const other = await sampleProject(gateway, 'strangers')
    const shared = await newPng()
    const { url: ofBoth } = await upload(shared)
    await upload(shared, other.client)
    const name = (logoUrl: string, { client }: SampleProject) =>
      promoCodeCards.create(client, { ...cardBody, logoUrl })
    const issues = [{ path: 'logoUrl', message: 'The project has no such picture. Upload it' }]
    for (const theirs of [url, ofBoth])
      await expect(name(theirs, other)).rejects.toMatchObject({ status: 400, issues })
    const ownPath = url.replace(`/${project.projectId}/`, `/${other.projectId}/`)
    await expect(name(ownPath, other)).rejects.toMatchObject({ status: 400, issues })
    const { url: own } = await upload(shared, other.client)
    const mixed = promoCodeCards.create(other.client, {
      ...cardBody,
      logoUrl: own,
      backgroundImageUrl: ofBoth,
    })
    await expect(mixed).rejects.toMatchObject({ issues: [{ path: 'backgroundImageUrl' }] })
  })

  it('a preview of a collection refuses an address that is no picture’s', async () => {
    for (const url of ['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', 'vbscript:x'])
      await expect(
        lazyMinting.updatePreviews(project.client, { nftAddress: newAddress(), items: [{ url }] }),
      ).rejects.toMatchObject({ issues: [{ path: 'items.0.url' }] })
  })
})

describe('the job that deletes pictures', () => {
  const isServed = async (url: string) => (await open(url)).status === 200
  const create = async (logoUrl: string) =>
    await promoCodeCards.create(project.client, { ...cardBody, logoUrl })

  it('the job that deletes pictures deletes an upload after a day in which no record names it', async () => {
    const [{ url: unused }, { url: used }] = [await upload(), await upload()]
    await create(used)
    await passHours(23)
    await sweep()
    expect([await isServed(unused), await isServed(used)]).toEqual([true, true])
    const before = (await listFiles()).length
    await passHours(2)
    await sweep()
    expect([await isServed(unused), await isServed(used)]).toEqual([false, true])
    expect((await listFiles()).length).toBeLessThan(before)
  })

  it('the job that deletes pictures deletes one a day after the last record that names it is gone', async () => {
    const { url } = await upload()
    const [first, second] = [await create(url), await create(url)]
    await promoCodeCards.remove(project.client, { id: first.id })
    await passHours(48)
    await sweep()
    await promoCodeCards.update(project.client, { id: second.id, logoUrl: '' })
    await sweep()
    await passHours(23)
    await sweep()
    expect(await isServed(url)).toBe(true)
    await passHours(2)
    await sweep()
    expect(await isServed(url)).toBe(false)
    await expect(create(url)).rejects.toMatchObject({ issues: [{ path: 'logoUrl' }] })
  })

  it.each([undefined, 'auto'])(
    'the job that deletes pictures leaves one that a call is about to name, with the Idempotency-Key %s',
    async (idempotencyKey) => {
      const { url } = await upload()
      await passHours(48)
      const client = new pg.Client({ connectionString: gateway.url })
      await client.connect()
      onTestFinished(() => client.end())
      const countWaiting = async () =>
        (await client.query('select from pg_stat_activity where cardinality(pg_blocking_pids(pid)) > 0'))
          .rowCount
      await client.query('begin')
      await client.query('lock table gateway.cards in share mode')
      const creating = promoCodeCards.create(
        project.client,
        { ...cardBody, logoUrl: url },
        { idempotencyKey },
      )
      await expect.poll(countWaiting).toBe(1)
      const sweeping = sweep()
      // With a key, the picture is locked until the card exists.
      if (idempotencyKey === undefined) await sweeping
      else await expect.poll(countWaiting).toBe(2)
      await client.query('commit')
      await Promise.all([creating, sweeping])
      expect(await isServed(url)).toBe(true)
    },
  )

  it('the job that deletes pictures removes all of many, and continues after those that cannot be removed', async () => {
    const addRows = sql`
      insert into gateway.media (project_id, hash, object, bytes, width, height, status)
      select ${project.projectId}, lpad(to_hex(n), 64, '0'), ${project.projectId} || '/many-' || n, 1, 1, 1, 'REMOVING'
      from generate_series(1, 2500) n`
    await addRows.execute(gateway.owner.system)
    const isStuck = (object: string) => /\/many-(1|1000|1001|2500)$/.test(object)
    const logged: unknown[] = []
    const removing = deleteUnusedMedia(
      gateway.owner.system,
      {
        ...storage,
        remove: async (object) => {
          if (isStuck(object)) throw new Error('the disk is broken')
        },
      },
      { error: ({ object }) => logged.push(object) },
    )
    await expect(removing).rejects.toThrow('4 pictures could not be removed')
    const listLeft = async () => {
      const rows = gateway.owner.system.selectFrom('gateway.media').select('object')
      return (await rows.where('object', 'like', '%/many-%').orderBy('hash').execute()).map(
        ({ object }) => object,
      )
    }
    expect(logged).toHaveLength(4)
    expect(await listLeft()).toEqual(logged)
    await sweep()
    expect(await listLeft()).toEqual([])
  })

  it('the job that deletes pictures keeps nothing for a name in another project', async () => {
    const { url } = await upload()
    const other = await sampleProject(gateway, 'namers')
    // As no operation can.
    const card = await promoCodeCards.create(other.client, cardBody)
    await createCardClient(gateway, other.key).alter(Number(card.id), { logo_url: url })
    await passHours(25)
    await sweep()
    expect(await isServed(url)).toBe(false)
  })

  it('the job that deletes pictures removes what a killed upload has written', async () => {
    const object = `${project.projectId}/killed.webp`
    await storage.write(object, new Uint8Array([1]))
    await writeFile(join(gateway.mediaFolder, `${object}.part`), 'x')
    const row = { project_id: project.projectId, hash: '0'.repeat(64), object, bytes: 1, width: 1, height: 1 }
    await gateway.owner.system.insertInto('gateway.media').values(row).execute()
    await sweep()
    expect(await listFiles()).toContain('killed.webp')
    await passHours(25)
    await sweep()
    expect((await listFiles()).filter((name) => name.startsWith('killed'))).toEqual([])
  })

  it.each<[string, (url: string) => Promise<unknown>]>([
    [
      'the extension of a contract',
      async (url) => {
        const { nftAddress } = await addContract()
        await contracts.updateExtension(project.client, { nftAddress, extension: { links: [{ icon: url }] } })
      },
    ],
    ['the metadata of a contract', (metadata) => addContract({ metadata })],
    ['metadata that is JSON', (url) => addContract({ metadata: JSON.stringify({ image: url }) })],
    [
      'the extension of a collection',
      async (url) => {
        const { nftAddress } = await addContract()
        await lazyMinting.updateExtension(project.client, { nftAddress, extension: { theme: { logo: url } } })
      },
    ],
    [
      'a property of an NFT',
      async (value) => {
        const { nftAddress } = await addContract()
        const nft = { nftAddress, nftId: '1', name: 'Blue', owner: newAddress() }
        await nfts.add(project.client, { ...nft, properties: [{ trait_type: 'badge', value }] })
      },
    ],
    [
      'a property of an NFT to be minted',
      async (value) => {
        const { nftAddress } = await addContract()
        const properties = [{ trait_type: 'badge', value }]
        await lazyMinting.addNft(project.client, {
          nftAddress,
          name: 'Blue',
          tokenUri: 'ipfs://blue',
          properties,
        })
      },
    ],
    [
      'the benefits of a card',
      (url) => membershipCards.create(project.client, { ...cardBody, level: 'Gold', benefits: ['Tea', url] }),
    ],
    ['the settings of cards', (logoUrl) => cardSettings.update(project.client, { logoUrl })],
    [
      'a message',
      (content) => words.add(project.client, { sender: newAddress(), recipient: newAddress(), content }),
    ],
  ])('the job that deletes pictures keeps one that is named in %s', async (_, name) => {
    const { url } = await upload()
    await name(url)
    await passHours(48)
    await sweep()
    await passHours(48)
    await sweep()
    expect(await isServed(url)).toBe(true)
  })
  const addContract = (fields: { metadata?: string } = {}) => {
    const contract = { name: 'Prints', nftAddress: newAddress(), nftType: 'ERC721' } as const
    return contracts.add(project.client, { ...contract, chainId: '84532', ...fields })
  }

  it('the job that deletes pictures reads every column that an input can reach', async () => {
    const { rows } = await sql<{ table: string; column: string }>`
      select c.relname as table, a.attname as column from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'gateway'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and c.relname !~ '^(people|chain_|indexed_contracts)'
        and a.atttypid in ('text'::regtype, 'text[]'::regtype, 'json'::regtype, 'jsonb'::regtype)`.execute(
      gateway.owner.system,
    )
    const leftOut = Object.values(LEFT_OUT_COLUMNS).flat()
    const missing = rows.filter(
      ({ table, column }) =>
        !(table in LEFT_OUT_TABLES) &&
        !leftOut.includes(column) &&
        !PICTURE_COLUMNS[table]?.columns.includes(column),
    )
    expect(missing).toEqual([])
    // A reason for what does not exist would excuse a later column.
    const all = rows.flatMap(({ table, column }) => [table, column])
    expect([...Object.keys(LEFT_OUT_TABLES), ...leftOut].filter((name) => !all.includes(name))).toEqual([])
  })
})
