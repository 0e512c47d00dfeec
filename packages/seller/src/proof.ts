// Whether whoever presents a payment is its payer, although the payment is not going to be settled.
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import type { Candidate } from './presentation.ts'
import { isRecord, readIdentifier, withoutIdentifier } from './purchase.ts'

/**
 * Whether the payment of a candidate is signed by its payer and still unused. The facilitator decides, but without what does not matter for a payment
 * that is never settled: its identifier, and the payer's balance.
 */
export async function isProven({ verified, payload, requirements, verify }: Candidate): Promise<boolean> {
  if (verified.isValid) return true
  const hasIdentifier = readIdentifier(payload) !== undefined
  const result = hasIdentifier ? await verify(withoutIdentifier(payload)) : verified
  if (result.isValid) return true
  return (
    /insufficient_(funds|balance)$/.test(result.invalidReason ?? '') && isSignedByKey(payload, requirements)
  )
}

const TRANSFER =
  'address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce'

/** Whether a payment by EIP-3009 is signed by the key of its payer and has not expired. */
async function isSignedByKey(payload: PaymentPayload, requirements: PaymentRequirements): Promise<boolean> {
  const { authorization, signature } = payload.payload
  if (!isRecord(authorization) || Number(authorization.validBefore) * 1000 <= Date.now()) return false
  const { parseAbiParameters, verifyTypedData } = await import('viem')
  const { name, version } = requirements.extra
  const chainId = Number(requirements.network.split(':')[1])
  try {
    return await verifyTypedData({
      address: authorization.from as `0x${string}`,
      domain: {
        name: String(name),
        version: String(version),
        chainId,
        verifyingContract: requirements.asset as `0x${string}`,
      },
      types: { TransferWithAuthorization: parseAbiParameters(TRANSFER) },
      primaryType: 'TransferWithAuthorization',
      message: authorization as never,
      signature: signature as `0x${string}`,
    })
  } catch {
    // Malformed fields are signed by nobody.
    return false
  }
}
