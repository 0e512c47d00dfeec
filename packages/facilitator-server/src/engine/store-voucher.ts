import type { AcceptedVoucher, StoreVoucher } from '../schemes/evm/batch-settlement/voucher-store.ts'
import type { EngineSettings } from './settings/engine-options.ts'

/** What is needed to store a voucher. */
export interface VoucherParts {
  readonly settings: EngineSettings
  readonly storeVoucher: StoreVoucher
}

/** Stores a voucher. Returns false, and logs the error, if the database did not confirm it. */
export async function tryStoreVoucher(
  { settings, storeVoucher }: VoucherParts,
  accepted: AcceptedVoucher,
): Promise<boolean> {
  try {
    await storeVoucher(accepted)
    return true
  } catch (error) {
    const { channelId } = accepted.voucher
    settings.log.error({ err: error, channelId }, 'A voucher could not be stored')
    return false
  }
}
