/**
 * What the specification states of each gateway operation, written out by hand: nothing here comes from our
 * packages.
 */
export interface StatedOperation {
  /** Its number in the specification's table. */
  number: number
  method: 'GET' | 'POST'
  path: string
  scope: string
  /** The place of the input and the types of its fields. */
  input: { in: 'query' | 'body' | 'path'; fields: Record<string, StatedType> }
  /** Required fields. */
  required: readonly string[]
  /** An input that succeeds on the rows of `insertStatedRows`. */
  valid: Record<string, unknown>
  /** The returned record, or the item of the returned page. */
  record: Record<string, StatedType>
  paged?: true
}

export type StatedType =
  | 'string'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'timestamp'
  | 'strings'
  | 'numbers'
  | 'traits'

export const WALLET = '0x00000000000000000000000000000000000000a1'
export const CREATOR = '0x00000000000000000000000000000000000000b2'
export const NFT_ADDRESS = '0x00000000000000000000000000000000000000c3'
export const ORDER_NO = 'stated-order-1'
export const HASH = `0x${'5a'.repeat(32)}`

const fields = (type: StatedType, ...names: string[]): Record<string, StatedType> =>
  Object.fromEntries(names.map((name) => [name, type]))

const card = {
  ...fields('string', 'applicableStores', 'backgroundImageUrl', 'chainId', 'logoUrl', 'name', 'nftAddress'),
  ...fields('string', 'nftId', 'nftType', 'qrCodeUrl', 'usageInstructions'),
  ...fields('integer', 'createTimeLong', 'id', 'projectId', 'totalIssued'),
  ...fields('timestamp', 'endTime', 'startTime'),
}
const promoCodeCard = {
  ...card,
  isRedeemed: 'boolean',
  usedCount: 'integer',
  validityPeriod: 'timestamp',
} satisfies Record<string, StatedType>

const createCard = {
  applicableStores: 'strings',
  ...fields('string', 'backgroundImageUrl', 'logoUrl', 'name', 'nftAddress', 'nftId', 'qrCodeUrl'),
  ...fields('timestamp', 'endTime', 'startTime'),
  totalIssued: 'number',
  usageInstructions: 'string',
} satisfies Record<string, StatedType>

const aCard = {
  applicableStores: ['Berlin', 'Ham"burg, {1}'],
  backgroundImageUrl: 'https://example.com/background.png',
  endTime: '2030-12-31T23:59:59.000Z',
  logoUrl: 'https://example.com/logo.png',
  name: 'Opening night',
  nftAddress: NFT_ADDRESS,
  nftId: '7',
  startTime: '2026-01-01T00:00:00.000Z',
  totalIssued: 10,
  usageInstructions: 'Show it at the door.',
}

export const statedOperations: readonly StatedOperation[] = [
  {
    number: 1,
    method: 'GET',
    path: '/api/v1/wallet/walletInfo',
    scope: 'wallet:read',
    input: { in: 'query', fields: { address: 'string' } },
    required: ['address'],
    valid: { address: WALLET },
    record: fields(
      'string',
      ...['address', 'background', 'description', 'email', 'name', 'profilePhoto', 'showcaseBackground'],
    ),
  },
  {
    number: 2,
    method: 'POST',
    path: '/api/v1/card/promoCodeCards/create',
    scope: 'cards:write',
    input: { in: 'body', fields: createCard },
    required: ['endTime', 'name', 'startTime', 'totalIssued'],
    valid: aCard,
    record: promoCodeCard,
  },
  {
    number: 3,
    method: 'GET',
    path: '/api/v1/card/promoCodeCards/{id}',
    scope: 'cards:read',
    input: { in: 'path', fields: { id: 'integer' } },
    required: [],
    valid: { id: 1 },
    record: promoCodeCard,
  },
  {
    number: 4,
    method: 'POST',
    path: '/api/v1/card/eventCards/create',
    scope: 'cards:write',
    input: { in: 'body', fields: { ...createCard, isCheckedIn: 'boolean' } },
    required: ['endTime', 'name', 'startTime', 'totalIssued'],
    valid: { ...aCard, isCheckedIn: true },
    record: { ...card, isCheckedIn: 'boolean' },
  },
  {
    number: 5,
    method: 'POST',
    path: '/api/v1/market/productCard/add/nftInfo',
    scope: 'market:write',
    input: {
      in: 'body',
      fields: {
        adult: 'boolean',
        ...fields(
          'string',
          'channel',
          'description',
          'imgUrl',
          'licenseCode',
          'mediaFileType',
          'mediaFileUrl',
        ),
        ...fields('string', 'name', 'nftAddress', 'owner', 'status', 'tokenUri'),
        ...fields('number', 'limited', 'royaltyPercentage'),
        properties: 'traits',
      },
    },
    required: ['name', 'nftAddress', 'owner'],
    valid: {
      adult: false,
      channel: 'shop',
      description: 'A print.',
      imgUrl: 'https://example.com/print.png',
      licenseCode: 'CC-BY-4.0',
      limited: 100,
      mediaFileType: 'image/png',
      mediaFileUrl: 'https://example.com/print.png',
      name: 'Print',
      nftAddress: NFT_ADDRESS,
      owner: CREATOR,
      properties: [{ trait_type: 'color', value: 'blue' }],
      royaltyPercentage: 2.5,
      status: 'DISPLAY',
      tokenUri: 'https://example.com/print.json',
    },
    record: {},
  },
  {
    number: 6,
    method: 'POST',
    path: '/api/v1/order/payOrder',
    scope: 'orders:write',
    input: { in: 'body', fields: fields('string', 'hash', 'orderNo', 'recipient') },
    required: ['hash', 'orderNo', 'recipient'],
    valid: { hash: HASH, orderNo: ORDER_NO, recipient: WALLET },
    record: {
      ...fields(
        'string',
        'chainId',
        'couponCode',
        'couponLink',
        'couponNftId',
        'description',
        'fileType',
        'hash',
      ),
      ...fields('string', 'marketAddress', 'name', 'nftAddress', 'nftId', 'nftImg', 'nftName', 'nftType'),
      ...fields('string', 'orderNo', 'payTokenAddress', 'payTokenType', 'recipient', 'recipientGrade'),
      ...fields('string', 'recipientName', 'recipientPhoto', 'rewardAmount', 'rewardTokenAddress'),
      ...fields(
        'string',
        'rewardTokenType',
        'searchKey',
        'sender',
        'senderGrade',
        'senderName',
        'senderPhoto',
      ),
      ...fields('string', 'serialNo', 'txId'),
      ...fields('number', 'couponType', 'grade', 'marketType', 'oday', 'omonth', 'oseason', 'oweek', 'oyear'),
      ...fields('number', 'orderPrice', 'orderStatus', 'orderType', 'payPrice', 'quantity'),
      ...fields('integer', 'createTimeLong', 'id', 'projectId'),
      ...fields('timestamp', 'createTime', 'updateTime'),
      ...fields('boolean', 'deleted', 'recipientIsNftImage', 'senderIsNftImage'),
      orderTypes: 'numbers',
    },
  },
  {
    number: 7,
    method: 'GET',
    path: '/api/v1/contract/info',
    scope: 'contracts:read',
    input: { in: 'query', fields: { nftAddress: 'string' } },
    required: ['nftAddress'],
    valid: { nftAddress: NFT_ADDRESS },
    record: {
      ...fields('boolean', 'adult', 'deleted'),
      ...fields('string', 'chainId', 'channel', 'contractType', 'description', 'imgUrl', 'metadata', 'name'),
      ...fields('string', 'nftAddress', 'nftType', 'owner', 'symbol'),
      ...fields('timestamp', 'createTime', 'updateTime'),
      ...fields('integer', 'createTimeLong', 'id', 'projectId'),
    },
  },
  {
    number: 8,
    method: 'GET',
    path: '/api/v1/card/commemorativeCards/getPageListByCreator',
    scope: 'cards:read',
    input: { in: 'query', fields: { creator: 'string' } },
    required: ['creator'],
    valid: { creator: CREATOR },
    paged: true,
    record: {
      amount: 'number',
      ...fields('integer', 'id', 'totalIssued'),
      ...fields('string', 'imageUrl', 'name', 'nftAddress', 'nftId', 'nftType', 'qrCodeUrl'),
      usageInstructions: 'string',
    },
  },
]

/** The specification's page object, without its list. */
export const statedPage = {
  ...fields('boolean', 'firstPage', 'lastPage'),
  ...fields('integer', 'pageNumber', 'pageSize', 'totalPage', 'totalRow'),
  orderBy: 'string',
} satisfies Record<string, StatedType>

/** The operation's call with an input, as it goes over the wire. */
export function callOf(operation: StatedOperation, input: Record<string, unknown>) {
  const { method, path } = operation
  if (operation.input.in === 'body') return { method, path, body: input }
  if (operation.input.in === 'path') return { method, path: path.replace('{id}', String(input.id)) }
  const query = new URLSearchParams(
    Object.fromEntries(Object.entries(input).map(([name, value]) => [name, String(value)])),
  )
  return { method, path, query: query.toString() }
}
