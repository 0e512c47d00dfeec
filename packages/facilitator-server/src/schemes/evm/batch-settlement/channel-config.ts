import { FieldReader } from '../../../payment/fields.ts'
import { reasons } from '../../../payment/reasons.ts'
import { type Refusal, refuse, refuseField } from '../../../payment/refusal.ts'
import { channelReasons } from './channel-reasons.ts'
import type { ChannelRequirements } from './channel-requirements.ts'
import type { ChannelConfig } from './channel-terms.ts'

const DELAY_SECONDS = { least: 15 * 60, most: 30 * 24 * 60 * 60 }
const ZERO_ADDRESS = `0x${'0'.repeat(40)}`

/** Compares the channel with what the seller requires of it. */
export function findTermsMismatch(
  config: ChannelConfig,
  { receiverAuthorizer, withdrawDelay }: ChannelRequirements,
  path: string,
): Refusal | undefined {
  if (receiverAuthorizer === undefined) {
    const message = 'Required: the address that signs claims for the seller'
    const required = 'paymentRequirements.extra.receiverAuthorizer'
    return refuseField(channelReasons.receiverAuthorizerMismatch, required, message)
  }
  if (config.receiverAuthorizer !== receiverAuthorizer) {
    const message = `Differs from paymentRequirements.extra.receiverAuthorizer, ${receiverAuthorizer}`
    return refuseField(channelReasons.receiverAuthorizerMismatch, `${path}.receiverAuthorizer`, message)
  }
  if (withdrawDelay !== undefined && config.withdrawDelay !== withdrawDelay) {
    const message = `Differs from paymentRequirements.extra.withdrawDelay, ${withdrawDelay}`
    return refuseField(channelReasons.withdrawDelayMismatch, `${path}.withdrawDelay`, message)
  }
  return undefined
}

/** Reads the configuration of a channel. */
export function readConfig(value: unknown, path: string): ChannelConfig | Refusal {
  const reader = new FieldReader(value, path)
  const config = {
    payer: reader.address('payer'),
    payerAuthorizer: reader.address('payerAuthorizer'),
    receiver: reader.address('receiver'),
    receiverAuthorizer: reader.address('receiverAuthorizer'),
    token: reader.address('token'),
    withdrawDelay: reader.seconds('withdrawDelay'),
    salt: reader.nonce('salt'),
  }
  return reader.issues.length === 0 ? config : refuse(reasons.invalidPayload, reader.issues)
}

/** Finds what is wrong with a channel, whatever it is used for. */
export function findConfigProblem(
  { receiver, token, withdrawDelay, receiverAuthorizer }: ChannelConfig,
  required: ChannelRequirements,
  path: string,
): Refusal | undefined {
  if (receiver !== required.payTo) {
    const message = `Differs from paymentRequirements.payTo, ${required.payTo}`
    return refuseField(channelReasons.receiverMismatch, `${path}.receiver`, message)
  }
  if (token !== required.asset) {
    const message = `Differs from paymentRequirements.asset, ${required.asset}`
    return refuseField(channelReasons.tokenMismatch, `${path}.token`, message)
  }
  if (receiverAuthorizer === ZERO_ADDRESS) {
    const message = 'Expected the address that signs claims for the seller, received the zero address'
    return refuseField(channelReasons.receiverAuthorizerMismatch, `${path}.receiverAuthorizer`, message)
  }
  const { least, most } = DELAY_SECONDS
  if (!Number.isInteger(withdrawDelay) || withdrawDelay < least || withdrawDelay > most) {
    const message = `Expected an integer from ${least} to ${most}, in seconds`
    return refuseField(channelReasons.withdrawDelayOutOfRange, `${path}.withdrawDelay`, message)
  }
  return undefined
}
