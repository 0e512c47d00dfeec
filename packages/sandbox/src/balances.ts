import { type AnvilClient, type DevChain, devAccounts, devUsdcAbi } from '@mintmark/devkit'
import { type Address, encodeAbiParameters, type Hex, keccak256, pad, toHex } from 'viem'

/** What an address has on the chain. */
interface Balance {
  readonly address: Address
  readonly native: bigint
  readonly token: bigint
}

/** Reads the balances of the ten accounts and of the treasury. */
export async function readBalances(
  client: AnvilClient,
  { token, treasury }: DevChain,
): Promise<readonly Balance[]> {
  const addresses = [...devAccounts.map(({ address }) => address), treasury]
  return await Promise.all(
    addresses.map(async (address) => {
      const [native, amount] = await Promise.all([
        client.getBalance({ address }),
        client.readContract({ address: token, abi: devUsdcAbi, functionName: 'balanceOf', args: [address] }),
      ])
      return { address, native, token: amount }
    }),
  )
}

/** Sets the balances in one request. Neither the blocks nor the nonces of the accounts change. */
export async function restoreBalances({ rpcUrl, token }: DevChain, saved: readonly Balance[]): Promise<void> {
  const calls = saved.flatMap(({ address, native, token: amount }) => [
    { method: 'anvil_setBalance', params: [address, toHex(native)] },
    { method: 'anvil_setStorageAt', params: [token, getBalanceSlot(address), pad(toHex(amount))] },
  ])
  const body = JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })))
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(rpcUrl, { method: 'POST', headers, body })
  const results: readonly { readonly error?: { readonly message: string } }[] = JSON.parse(
    await response.text(),
  )
  for (const { error } of results) {
    if (error !== undefined) throw new Error(`The balances could not be restored: ${error.message}`)
  }
}

/** The slot of the mapping `balanceOf` of DevUsdc. */
const BALANCES_SLOT = 1n

function getBalanceSlot(owner: Address): Hex {
  const key = encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [owner, BALANCES_SLOT])
  return keccak256(key)
}
