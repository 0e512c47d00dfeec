/** One payment, decoded from either x402 version. What the facilitator's parts hand to each other. */
export interface Payment {
  version: 1 | 2
  scheme: 'exact'
  /** CAIP-2, such as `eip155:84532`, also when the request used a version 1 name. */
  network: string
  /** The network as the request said it; answers repeat it. */
  wireNetwork: string
  chainId: number
  /** The token's address, lower-case. */
  asset: string
  /** The recipient's address, lower-case. */
  payTo: string
  /** The paying wallet's address, lower-case. */
  payer: string
  /** Base units of the asset. */
  amount: bigint
  /** Unix seconds; the transfer is valid strictly after it. */
  validAfter: bigint
  /** Unix seconds; the transfer is valid strictly before it. */
  validBefore: bigint
  /** 32 bytes, `0x` and 64 lower-case hex digits. */
  nonce: string
  /** `0x` and lower-case hex digits: 65 bytes, or what the payer's contract accepts. */
  signature: string
  /** EIP-712 domain of the asset, as the requirements' `extra` says. */
  domainName: string
  domainVersion: string
  maxTimeoutSeconds: number
  /**
   * SHA-256, hex, over the decoded authorization, signature and terms: equal through both doors and versions for the
   * same payment.
   */
  fingerprint: string
  /** As received, to forward. */
  request: { x402Version: number; paymentPayload: object; paymentRequirements: object }
}

/** What became of a body: a payment, or an x402 reason with the fields that are wrong. */
export type Decoded =
  | { ok: true; payment: Payment }
  | {
      ok: false
      reason: string
      message: string
      issues?: { path: string; message: string }[]
      /** Where it could be read. */
      payer?: string
    }

/** What the payer held of the asset when its balance was read. */
export interface PayerFunds {
  /** Base units of the asset. */
  readonly balance: bigint
  /** The block it was read from; undefined when the chain does not tell. */
  readonly block: bigint | undefined
  /** When the request was sent, by `performance.now()`. */
  readonly readAt: number
}

/** Whether a payment could be settled now. */
export type Verdict =
  | { isValid: true; payer: string; funds?: PayerFunds }
  | { isValid: false; invalidReason: string; invalidMessage?: string; payer?: string }

export interface PaymentVerifier {
  /** Never throws: what cannot be found out is `unexpected_verify_error`. */
  verify(payment: Payment): Promise<Verdict>
}

/** What the upstream answered to one settle. */
export type UpstreamAnswer =
  /** A well-formed 2xx. */
  | {
      kind: 'answered'
      httpStatus: number
      body: {
        success: boolean
        errorReason?: string
        errorMessage?: string
        payer?: string
        transaction: string
        network: string
      }
    }
  /** A definite refusal that comes before broadcast (a closed list of reasons). */
  | { kind: 'refused'; httpStatus: number; reason: string; message?: string }
  /** Nothing was signed or broadcast, for a cause that can pass: the same payment can be settled again. */
  | { kind: 'not_sent'; reason: string; message: string }
  /** The outcome is not known: it may settle still. */
  | {
      kind: 'lost'
      why: 'timeout' | 'reset' | 'status' | 'malformed'
      httpStatus?: number
      message: string
    }

export interface UpstreamCall {
  settlementId: string
  attempt: string
  signal: AbortSignal
}

export interface Upstream {
  /**
   * Executes one payment. `settlementId` names its settlement, and `attempt` the call that owns the settlement while its
   * lease lasts; the signal ends the wait, not the settlement.
   */
  settle(payment: Payment, call: UpstreamCall): Promise<UpstreamAnswer>
}

/** What the chain says of a payment. */
export type ChainVerdict =
  | { kind: 'settled'; transaction: string; blockNumber: bigint; blockHash: string; final: boolean }
  /**
   * The nonce was used without our payment, finally; or it is unused, and `validBefore` is final or our own transaction
   * has finally reverted. `reverted` is the hash of a transaction of ours that was mined in vain.
   */
  | { kind: 'failed'; reason: string; reverted?: string }
  /** Not decided. `unused`: the nonce is unused in the newest block. */
  | { kind: 'open'; unused?: boolean }
  | { kind: 'unreadable' }

/** The terms by which a payment is recognised on its chain. */
export type PaymentOnChain = Pick<
  Payment,
  'network' | 'asset' | 'payer' | 'payTo' | 'amount' | 'nonce' | 'validBefore'
>

export interface ChainReader {
  /** Whether the network is among `CHAINS`. */
  readable(network: string): boolean
  inspect(payment: PaymentOnChain, hint?: { transaction?: string }): Promise<ChainVerdict>
  /** The hash of the canonical block of that number, undefined when there is none yet. Throws when unreadable. */
  blockHash(network: string, number: bigint): Promise<string | undefined>
}
