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
import authCaptureEscrow from './artifacts/AuthCaptureEscrow.json' with { type: 'json' }
import { devUsdcAbi, multicall3Abi, treasuryAbi } from './artifacts/abi.ts'
import batchSettlement from './artifacts/BatchSettlement.json' with { type: 'json' }
import devUsdc from './artifacts/DevUsdc.json' with { type: 'json' }
import erc3009DepositCollector from './artifacts/Erc3009DepositCollector.json' with { type: 'json' }
import erc3009PaymentCollector from './artifacts/Erc3009PaymentCollector.json' with { type: 'json' }
import erc3009RefundCollector from './artifacts/Erc3009RefundCollector.json' with { type: 'json' }
import exactPermit2Proxy from './artifacts/ExactPermit2Proxy.json' with { type: 'json' }
import multicall3 from './artifacts/Multicall3.json' with { type: 'json' }
import permit2 from './artifacts/Permit2.json' with { type: 'json' }
import permit2DepositCollector from './artifacts/Permit2DepositCollector.json' with { type: 'json' }
import treasury from './artifacts/Treasury.json' with { type: 'json' }
import uptoPermit2Proxy from './artifacts/UptoPermit2Proxy.json' with { type: 'json' }
import {
  type AnvilClient,
  authCaptureEscrowAddress,
  batchSettlementAddress,
  depositCollectorAddress,
  multicallAddress,
  paymentCollectorAddress,
  permit2Address,
  permit2DepositCollectorAddress,
  permit2ProxyAddresses,
  refundCollectorAddress,
  tokenAddress,
  treasuryAddress,
} from './chain.ts'

/** The tokens granted to each of the ten accounts, in the smallest unit: 1,000,000 USDC. */
export const tokenGrant = 1_000_000n * 10n ** 6n

/** The owner of the treasury: the first of the ten accounts. */
export const treasuryOwner: Address = devAccount(0).address

/** Mints the grants. It is impersonated, so that each of the ten accounts starts with nonce 0. */
const minter: Address = getAddress('0x4d494e544d41524b00000000000000000000cafe')

const contracts = [
  { name: 'DevUsdc', address: tokenAddress, deployedBytecode: devUsdc.deployedBytecode },
  { name: 'Treasury', address: treasuryAddress, deployedBytecode: treasury.deployedBytecode },
  { name: 'Multicall3', address: multicallAddress, deployedBytecode: multicall3.deployedBytecode },
  { name: 'Permit2', address: permit2Address, deployedBytecode: permit2.deployedBytecode },
  {
    name: 'ExactPermit2Proxy',
    address: permit2ProxyAddresses.exact,
    deployedBytecode: exactPermit2Proxy.deployedBytecode,
  },
  {
    name: 'UptoPermit2Proxy',
    address: permit2ProxyAddresses.upto,
    deployedBytecode: uptoPermit2Proxy.deployedBytecode,
  },
  {
    name: 'BatchSettlement',
    address: batchSettlementAddress,
    deployedBytecode: batchSettlement.deployedBytecode,
  },
  {
    name: 'Erc3009DepositCollector',
    address: depositCollectorAddress,
    deployedBytecode: erc3009DepositCollector.deployedBytecode,
  },
  {
    name: 'Permit2DepositCollector',
    address: permit2DepositCollectorAddress,
    deployedBytecode: permit2DepositCollector.deployedBytecode,
  },
  {
    name: 'AuthCaptureEscrow',
    address: authCaptureEscrowAddress,
    deployedBytecode: authCaptureEscrow.deployedBytecode,
  },
  {
    name: 'Erc3009PaymentCollector',
    address: paymentCollectorAddress,
    deployedBytecode: erc3009PaymentCollector.deployedBytecode,
  },
  {
    name: 'Erc3009RefundCollector',
    address: refundCollectorAddress,
    deployedBytecode: erc3009RefundCollector.deployedBytecode,
  },
]

/**
 * Puts the dev chain's contracts at their addresses and grants the ten accounts their tokens. Idempotent.
 * Code that differs from the artifacts, because a contract has changed, is replaced; its storage is kept.
 *
 * @param log Receives a message for each change.
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

/** Sets the owner's storage slot, because no constructor runs for planted code. */
async function ownTreasury(client: AnvilClient): Promise<void> {
  const readOwner = () =>
    client.readContract({ address: treasuryAddress, abi: treasuryAbi, functionName: 'owner' })
  if (!isAddressEqual(await readOwner(), zeroAddress)) return
  await client.setStorageAt({ address: treasuryAddress, index: 0, value: pad(treasuryOwner) })
  if (!isAddressEqual(await readOwner(), treasuryOwner)) {
    throw new Error('The treasury does not store its owner in slot 0')
  }
}

/** Grants the tokens in one transaction, so that an interrupted start leaves all grants or none. */
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
  if (!isHex(text)) throw new Error('The bytecode of an artifact is not hexadecimal')
  return text
}
