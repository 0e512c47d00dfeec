import {
  signatureMint721Abi,
  signatureMint721Bytecode,
  signatureMint1155Bytecode,
  toMintCall,
} from '@mintmark/contracts/abi'
import { type Address, getAddress, type Hex } from 'viem'
import type { TestChain } from './testing.ts'

/** Deploys a contract that mints with a minter's signatures. */
export async function deployMintContract(
  chain: TestChain,
  minter: string,
  nftType: 'ERC721' | 'ERC1155' = 'ERC721',
): Promise<Address> {
  const owner = chain.as(0)
  const hash = await owner.deployContract({
    abi: signatureMint721Abi,
    bytecode: nftType === 'ERC721' ? signatureMint721Bytecode : signatureMint1155Bytecode,
    args: ['Prints', 'PRINT', owner.account.address, getAddress(minter)],
  })
  const { contractAddress } = await chain.client.waitForTransactionReceipt({ hash })
  if (!contractAddress) throw new Error('The contract was not deployed')
  return contractAddress
}

/** Sends a signature to its contract with the price in the native token. Returns the transaction's hash. */
export async function sendMint(
  chain: TestChain,
  contract: Address,
  signed: Parameters<typeof toMintCall>[0],
  { from = 3 } = {},
): Promise<Hex> {
  const call = { ...toMintCall(signed), address: contract }
  const hash = await chain.as(from).writeContract({ abi: signatureMint721Abi, ...call })
  await chain.client.waitForTransactionReceipt({ hash })
  return hash
}
