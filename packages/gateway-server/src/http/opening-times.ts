/** Converts the times of a sale to the detail of the rules that refuse what is not open. */
export function toOpeningTimes(sale: { readonly start_time: Date; readonly end_time: Date }) {
  return { opensAt: sale.start_time.toISOString(), closesAt: sale.end_time.toISOString() }
}
