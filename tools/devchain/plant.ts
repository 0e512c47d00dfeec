import {
  type Address,
  encodeFunctionData,
  getAddress,
  type Hex,
  isAddressEqual,
  isHex,
  pad,
  zeroAddress,
} from 'viem'
import { devAccount, devAccounts } from './accounts.ts'
import { devUsdcAbi, multicall3Abi, treasuryAbi } from './artifacts/abi.ts'
import devUsdc from './artifacts/DevUsdc.json' with { type: 'json' }
import multicall3 from './artifacts/Multicall3.json' with { type: 'json' }
import treasury from './artifacts/Treasury.json' with { type: 'json' }
import { type AnvilClient, multicallAddress, tokenAddress, treasuryAddress } from './chain.ts'

/** What each of the ten accounts gets of the token, in its smallest unit: 1,000,000 USDC. */
export const tokenGrant = 1_000_000n * 10n ** 6n

/** Who may withdraw from the treasury: the first of the ten accounts. */
export const treasuryOwner: Address = devAccount(0).address

/** Mints the grants. Nobody has its key; anvil sends for it, so that none of the ten accounts starts with a used nonce. */
const minter: Address = getAddress('0x4d494e544d41524b00000000000000000000cafe')

const contracts = [
  { name: 'DevUsdc', address: tokenAddress, deployedBytecode: devUsdc.deployedBytecode },
  { name: 'Treasury', address: treasuryAddress, deployedBytecode: treasury.deployedBytecode },
  { name: 'Multicall3', address: multicallAddress, deployedBytecode: multicall3.deployedBytecode },
]

/**
 * Puts the dev chain's contracts at their addresses and gives the ten accounts their tokens, where that is not done yet:
 * on a chain that was planted before, it changes nothing. Code that differs from the artifacts (a contract was changed
 * since) is replaced and its storage kept.
 *
 * @param log receives every change.
 */
export async function plantContracts(client: AnvilClient, log: (message: string) => void): Promise<void> {
  for (const { name, address, deployedBytecode } of contracts) {
    const code = hex(deployedBytecode)
    const present = await client.getCode({ address })
    if (present === code) continue
    await client.setCode({ address, bytecode: code })
    log(
      present === undefined
        ? `${name} planted at ${address}`
        : `${name} at ${address} replaced: its code changed`,
    )
  }
  await ownTreasury(client)
  await grantTokens(client, log)
}

/** Code that is set has run no constructor: the owner goes into the storage slot that the constructor would fill. */
async function ownTreasury(client: AnvilClient): Promise<void> {
  const readOwner = () =>
    client.readContract({ address: treasuryAddress, abi: treasuryAbi, functionName: 'owner' })
  if (!isAddressEqual(await readOwner(), zeroAddress)) return
  await client.setStorageAt({ address: treasuryAddress, index: 0, value: pad(treasuryOwner) })
  if (!isAddressEqual(await readOwner(), treasuryOwner)) {
    throw new Error('The treasury keeps its owner elsewhere than in storage slot 0')
  }
}

/** All grants are one transaction: a start that is interrupted leaves every account with its grant, or none. */
async function grantTokens(client: AnvilClient, log: (message: string) => void): Promise<void> {
  const supply = await client.readContract({
    address: tokenAddress,
    abi: devUsdcAbi,
    functionName: 'totalSupply',
  })
  if (supply > 0n) return
  const calls = devAccounts.map(({ address }) => ({
    target: tokenAddress,
    allowFailure: false,
    callData: encodeFunctionData({ abi: devUsdcAbi, functionName: 'mint', args: [address, tokenGrant] }),
  }))
  await client.setBalance({ address: minter, value: 10n ** 18n })
  await client.impersonateAccount({ address: minter })
  const hash = await client.writeContract({
    account: minter,
    address: multicallAddress,
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [calls],
  })
  const receipt = await client.waitForTransactionReceipt({ hash })
  await client.stopImpersonatingAccount({ address: minter })
  if (receipt.status !== 'success') throw new Error(`Granting the token failed in transaction ${hash}`)
  log(`${devAccounts.length} accounts hold ${tokenGrant / 10n ** 6n} USDC each`)
}

function hex(text: string): Hex {
  if (!isHex(text)) throw new Error('An artifact holds bytecode that is not hexadecimal')
  return text
}
