/** The address of the escrow 1.1 on every chain that has it, lower-case. */
export const escrowAddress = '0xf96815976523e00e65be8f34ca5e64b4f41eb19c'

/** The address of the escrow's collector of payments by EIP-3009, lower-case. */
export const collectorAddress = '0x8612dfdc421f80336cd14e8ef9cb1e765db5ab88'
