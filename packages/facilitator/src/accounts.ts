import { Address, Amount, Hash, Integer, record, type Schema, Text, Timestamp } from '@mintmark/envelope'
import { facilitatorOperation, type InputOf } from '@mintmark/operation'
import * as v from 'valibot'
import { Seconds, Signature } from './fields.ts'
import {
  ACCOUNT_FROZEN,
  ACCOUNTS_NOT_OPENED,
  INVALID_ACCOUNT_PROOF,
  PAYER_HAS_ACCOUNT,
  PROOF_USED,
} from './rules.ts'

const openedAccount = record({
  /** The account's id. */
  id: Integer,
  /** The account's wallet, in lower case. Its deposits credit the account. */
  payer: v.string(),
  /** The key of the account. Only this response contains it. */
  token: v.string(),
  /** What this call credited for a trial, in wei. 0: the account existed. */
  credit: Amount,
  /** What the account can spend, in wei. */
  balance: Amount,
  /** What a settle costs, in wei. */
  settlePrice: Amount,
  /** When the account was created. */
  createTime: Timestamp,
})
/** An account that its wallet opened, with a new key. */
export interface OpenedAccount extends v.InferOutput<typeof openedAccount> {}
export const OpenedAccount: Schema<OpenedAccount> = openedAccount

/**
 * Opens the account of a wallet by a proof that `signAccountProof` signed, without a key and without the
 * operator, and credits a trial. A wallet has one account and one trial: later calls, each with a new proof,
 * return the account and a new key, and revoke the key of the call before. Settles also require a quota:
 * `payerQuotas.register`.
 *
 * RateLimitedError if the wallet, the address of the caller or all callers together have opened too many
 * accounts in a day. Rules: `ACCOUNTS_NOT_OPENED`, `INVALID_ACCOUNT_PROOF`, `PROOF_USED`, `PAYER_HAS_ACCOUNT`,
 * `ACCOUNT_FROZEN`. After an UnknownOutcomeError, sign a new proof and call again.
 *
 * @example
 * const signing = await payerQuotas.signingDomain(facilitator)
 * const proof = await signAccountProof(wallet, signing, { audience: baseUrl })
 * const { token } = await accounts.open(facilitator, proof)
 */
export const open = facilitatorOperation({
  id: 'accounts.open',
  method: 'POST',
  path: '/accounts',
  source: 'own',
  body: {
    /** The address of the facilitator that the proof is for, as callers reach it. */
    audience: Text,
    /** The wallet that signed the proof: the account's. */
    wallet: Address,
    /** When the proof was signed, in seconds since the epoch. It is valid for five minutes. */
    issuedAt: Seconds,
    /** 32 random bytes, so that each proof differs. */
    nonce: Hash,
    /** The wallet's EIP-712 signature of `OpenAccount`. Wallets that are contracts cannot open accounts. */
    signature: Signature,
  },
  data: OpenedAccount,
  errors: [ACCOUNTS_NOT_OPENED, INVALID_ACCOUNT_PROOF, PROOF_USED, PAYER_HAS_ACCOUNT, ACCOUNT_FROZEN],
})
export type OpenAccountInput = InputOf<typeof open>
