import { ACCOUNTS_NOT_OPENED, accounts, INVALID_ACCOUNT_PROOF, type QuotaDomain } from '@mintmark/facilitator'
import { refusal, toAddressGroup } from '@mintmark/server-kit'
import { readSignedProof } from '../../chains/evm/signatures/account-proof.ts'
import type { Enqueue } from '../../events/record-event.ts'
import { openAccount, type TrialTerms } from '../../ledger/accounts/openings.ts'
import { implement } from '../context/context.ts'

/** What the opening of accounts needs. */
export interface AccountOptions {
  /** Undefined: wallets open no new accounts. Those that have opened one still get keys. */
  readonly trial: TrialTerms | undefined
  /** The domain of what wallets sign for this facilitator. */
  readonly domain: QuotaDomain
  /** The address that proofs must be for: where callers reach this server. */
  readonly publicUrl: string
  /** What a settle costs, in wei. */
  readonly price: bigint
  readonly enqueue: Enqueue | undefined
}

/** Creates the route by which wallets open their accounts. */
export function accountRoutes({ trial, domain, publicUrl, price, enqueue }: AccountOptions) {
  return implement(accounts, {
    async open(proof, { db, remoteAddress, headers }) {
      // Otherwise another facilitator could use the proofs that it receives.
      if (proof.audience !== publicUrl) {
        // No other proof could open an account either.
        if (trial === undefined) throw refusal(ACCOUNTS_NOT_OPENED)
        throw refusal(
          INVALID_ACCOUNT_PROOF,
          `The proof is for another address than ${publicUrl}. Call the facilitator there, and sign for it`,
        )
      }
      const digest = await readSignedProof(domain, proof)
      if (digest === undefined) throw refusal(INVALID_ACCOUNT_PROOF)
      const opening = {
        payer: proof.wallet,
        proof: Buffer.from(digest.slice(2), 'hex'),
        issuedAt: proof.issuedAt,
        address: remoteAddress === undefined ? undefined : toAddressGroup(remoteAddress),
      }
      const { account, token, credit } = await openAccount(db, opening, trial, enqueue)
      headers.set('cache-control', 'no-store')
      return {
        id: account.id,
        payer: account.payer,
        token,
        credit: credit.toString(),
        balance: account.available.toString(),
        settlePrice: price.toString(),
        createTime: account.createdAt.toISOString(),
      }
    },
  })
}
