import { devAccount } from '@mintmark/devkit/chain/accounts'
import { devCollectibleAbi, devEditionAbi } from '@mintmark/devkit/chain/artifacts/abi'
import type { AnvilClient } from '@mintmark/devkit/chain/chain'
import { type Address, encodeFunctionData, getAddress, type Hex, parseEventLogs } from 'viem'

/** Tokens of the ERC-721, and ids of the ERC-1155, that are traded. */
export const TOKENS = 200
export const IDS = 20

const GROUP = 25
const OF_EACH = 1_000n
const wallets = Array.from({ length: 8 }, (_, account) => devAccount(account).address)

/** Whole numbers below a bound. */
export interface Dice {
  integer(below: number): number
}

/** Who has the groups of tokens that are moved together. */
type Holders = readonly Address[]

/**
 * Trade of two contracts' tokens between the dev chain's accounts, a transaction a block, each with many
 * transfers.
 */
export class TokenTraffic {
  readonly #chain: { readonly client: AnvilClient }
  readonly #at: { readonly token: Address; readonly edition: Address }
  readonly #dice: Dice
  #holders: Address[] = []
  #transfers = 0
  #last: Hex | undefined

  constructor(
    chain: { readonly client: AnvilClient },
    at: { readonly token: Address; readonly edition: Address },
    dice: Dice,
  ) {
    this.#chain = chain
    this.#at = at
    this.#dice = dice
  }

  /** What a chain that goes back to an earlier block goes back to. */
  state(): { readonly holders: Holders; readonly transfers: number } {
    return { holders: [...this.#holders], transfers: this.#transfers }
  }

  restore({ holders, transfers }: ReturnType<TokenTraffic['state']>): void {
    this.#holders = [...holders]
    this.#transfers = transfers
  }

  async mint(): Promise<void> {
    for (let group = 0; group < TOKENS / GROUP; group += 1) {
      const holder = this.#wallet()
      const args = [holder, BigInt(group * GROUP), BigInt(GROUP)] as const
      await this.#send(
        holder,
        this.#at.token,
        encodeFunctionData({ abi: devCollectibleAbi, functionName: 'mintMany', args }),
      )
      this.#holders[group] = holder
      this.#transfers += GROUP
    }
    for (const wallet of wallets) {
      const [ids, values] = [Array.from({ length: IDS }, (_, id) => BigInt(id)), Array(IDS).fill(OF_EACH)]
      const args = [wallet, ids, values] as const
      await this.#send(
        wallet,
        this.#at.edition,
        encodeFunctionData({ abi: devEditionAbi, functionName: 'mintBatch', args }),
      )
      this.#transfers += IDS
    }
  }

  /** Trades until the number of transfers is reached. */
  async run(transfers: number): Promise<void> {
    while (this.#transfers < transfers) await this.block()
    await this.mined()
  }

  /** Waits until all transactions are mined: the node accepts a transaction before it has mined it. */
  async mined(): Promise<void> {
    if (this.#last) await this.#chain.client.waitForTransactionReceipt({ hash: this.#last })
  }

  /** One block's trade: a group of the ERC-721's, or a batch or one of the ERC-1155's. */
  async block(): Promise<void> {
    const kind = this.#dice.integer(8)
    const to = this.#wallet()
    if (kind > 1) {
      const group = this.#dice.integer(this.#holders.length)
      const from = this.#holders[group] ?? to
      const args = [to, BigInt(group * GROUP), BigInt(GROUP)] as const
      await this.#send(
        from,
        this.#at.token,
        encodeFunctionData({ abi: devCollectibleAbi, functionName: 'transferMany', args }),
      )
      this.#holders[group] = to
      this.#transfers += GROUP
      return
    }
    const from = this.#wallet()
    if (kind === 1) {
      const args = [from, to, BigInt(this.#dice.integer(IDS)), 1n, '0x'] as const
      await this.#send(
        from,
        this.#at.edition,
        encodeFunctionData({ abi: devEditionAbi, functionName: 'safeTransferFrom', args }),
      )
      this.#transfers += 1
      return
    }
    const ids = Array.from({ length: IDS }, (_, id) => BigInt(id))
    const args = [from, to, ids, ids.map(() => 1n), '0x'] as const
    await this.#send(
      from,
      this.#at.edition,
      encodeFunctionData({ abi: devEditionAbi, functionName: 'safeBatchTransferFrom', args }),
    )
    this.#transfers += IDS
  }

  /**
   * Every transfer in the chain's receipts: transaction, log, position in its batch, token, from, to,
   * quantity.
   */
  async logged(): Promise<string[]> {
    const logs = await this.#chain.client.getLogs({
      address: [this.#at.token, this.#at.edition],
      fromBlock: 0n,
      toBlock: 'latest',
    })
    const all: string[] = []
    const add = (...parts: (string | number | bigint)[]) => void all.push(parts.join(' ').toLowerCase())
    for (const { transactionHash, logIndex, args } of parseEventLogs({ abi: devCollectibleAbi, logs })) {
      add(transactionHash, logIndex, 0, args.tokenId, args.from, args.to, 1)
    }
    for (const { eventName, transactionHash, logIndex, args } of parseEventLogs({
      abi: devEditionAbi,
      logs,
    })) {
      if (eventName === 'TransferSingle')
        add(transactionHash, logIndex, 0, args.id, args.from, args.to, args.value)
      else
        args.ids.forEach((id, place) => {
          add(transactionHash, logIndex, place, id, args.from, args.to, args.values[place] ?? 0n)
        })
    }
    return all
  }

  /** Every balance, read from the contracts, by contract, token and owner. */
  async owned(): Promise<Map<string, string>> {
    const { client } = this.#chain
    const owned = new Map<string, string>()
    const owners = await client.readContract({
      address: this.#at.token,
      abi: devCollectibleAbi,
      functionName: 'ownersOf',
      args: [0n, BigInt(TOKENS)],
    })
    owners.forEach((owner, id) => {
      owned.set(`${this.#at.token} ${id} ${owner}`.toLowerCase(), '1')
    })
    for (const wallet of wallets) {
      for (let id = 0; id < IDS; id += 1) {
        const args = [getAddress(wallet), BigInt(id)] as const
        const call = {
          address: this.#at.edition,
          abi: devEditionAbi,
          functionName: 'balanceOf',
          args,
        } as const
        const balance = await client.readContract(call)
        if (balance > 0n) owned.set(`${this.#at.edition} ${id} ${wallet}`.toLowerCase(), balance.toString())
      }
    }
    return owned
  }

  #wallet(): Address {
    // Below the length.
    return wallets[this.#dice.integer(wallets.length)] as Address
  }

  /** Has the node sign, which mines soon: one request a transaction. */
  async #send(from: Address, to: Address, data: Hex): Promise<void> {
    const { client } = this.#chain
    this.#last = await client.sendTransaction({ account: from, to, data, gas: 5_000_000n, chain: null })
  }
}
