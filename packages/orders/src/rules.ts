import { rule } from '@mintmark/envelope'

/** The order is past the states that a payment's hash can be reported in. */
export const ORDER_NOT_PAYABLE = rule(40901, 'The order can no longer be paid')
/** The recipient named is not the order's. */
export const ORDER_RECIPIENT_MISMATCH = rule(40902, "The recipient is not the order's")
/** The hash belongs to another order. */
export const PAYMENT_HASH_TAKEN = rule(40903, 'The hash was reported for another order')
