// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice Code for an account that delegates to it (EIP-7702): it approves what the account's own key has signed (ERC-1271).
contract KeyWallet {
    bytes4 private constant APPROVED = 0x1626ba7e;
    bytes4 private constant REFUSED = 0xffffffff;

    receive() external payable {}

    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        if (signature.length != 65) return REFUSED;
        bytes32 r = bytes32(signature[0:32]);
        bytes32 s = bytes32(signature[32:64]);
        address signer = ecrecover(digest, uint8(signature[64]), r, s);
        return signer == address(this) ? APPROVED : REFUSED;
    }
}
