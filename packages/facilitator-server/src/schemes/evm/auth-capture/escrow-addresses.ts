/** The address of the escrow 1.1 on every chain that has it, lower-case. */
export const escrowAddress = '0xf96815976523e00e65be8f34ca5e64b4f41eb19c'

/** The address of the escrow's collector of payments by EIP-3009, lower-case. */
export const collectorAddress = '0x8612dfdc421f80336cd14e8ef9cb1e765db5ab88'

/**
 * The address of `Erc3009RefundCollector`, lower-case, by which sellers pay refunds. Anybody can deploy it there, with
 * the deployer 0x4e59b44847b379578588920cA78FbF26c0B4956C.
 */
export const refundCollectorAddress = '0x9a1149775f8bcd47fa9823c0608948e0b92182f4'
