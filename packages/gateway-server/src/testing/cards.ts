import type { VerificationRecord } from '@mintmark/cards'
import type { TestGateway, TestKey } from './gateway.ts'
import type { RawResponse } from './raw-client.ts'

export type TestProgram = 'promoCodeCards' | 'eventCards' | 'commemorativeCards' | 'membershipCards'

/** A valid body of create, for a card that is valid from 2026 on. */
export const cardBody = {
  name: 'Opening night',
  nftAddress: '0x00000000000000000000000000000000000000c3',
  startTime: '2026-01-01T00:00:00Z',
  endTime: '2099-12-31T00:00:00Z',
  totalIssued: 3,
}

export interface TestCard {
  id: number
  qrCodeUrl: string
  totalIssued: number
  usedCount?: number
  isRedeemed?: boolean
  isCheckedIn?: boolean
  [field: string]: unknown
}

/** Creates a client of the card programs that sends raw requests. */
export function createCardClient(gateway: TestGateway, key: TestKey = gateway.key) {
  const at = (program: TestProgram, path: string) => `/api/v1/card/${program}${path}`
  const post = (program: TestProgram, path: string, body: object) =>
    key.call({ path: at(program, path), body })
  let nonces = 0
  return {
    post,
    get: (program: TestProgram, path: string, query: Record<string, string> = {}) =>
      key.call({ path: at(program, path), query: new URLSearchParams(query).toString() }),
    async create(program: TestProgram, more: object = {}): Promise<TestCard> {
      const { status, text, json } = await post(program, '/create', { ...cardBody, ...more })
      if (status !== 200) throw new Error(`create returned ${status}: ${text}`)
      // As the specification defines a card. Each test reads the fields of its own program.
      return json.data as TestCard
    },
    remove: (program: TestProgram, id: number): Promise<RawResponse> =>
      key.call({ method: 'DELETE', path: at(program, `/${id}`) }),
    /** A verification with a nonce of its own, unless one is given. */
    async verify(program: TestProgram, fields: object): Promise<VerificationRecord> {
      nonces += 1
      const action = program === 'promoCodeCards' ? 'REDEEM' : 'CHECK_IN'
      const { status, text, json } = await post(program, '/verification/create', {
        action,
        nonce: `nonce ${nonces}`,
        ...fields,
      })
      if (status !== 200) throw new Error(`verification returned ${status}: ${text}`)
      // `every-operation.test.ts` checks that the client accepts this type.
      return json.data as unknown as VerificationRecord
    },
    /** Changes a card's row as no operation can, for example to simulate the passage of time. */
    async alter(id: number, row: object): Promise<void> {
      await gateway.owner.system.updateTable('gateway.cards').set(row).where('id', '=', id).execute()
    },
  }
}

/** The code in the address of a card's QR picture. */
export function codeOf({ qrCodeUrl }: { qrCodeUrl: string }): string {
  return /([\w-]{27})\.svg$/.exec(qrCodeUrl)?.[1] ?? ''
}
