// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice A wallet whose signature check (ERC-1271) lies to simulations: it approves everything where the gas price is
/// zero. Where it is not, it approves only while `approving` is set, after burning `burnedGas`. For tests of facilitators
/// that must not pay for transactions that such a payer lets revert.
contract HostileWallet {
    bytes4 private constant APPROVED = 0x1626ba7e;
    bytes4 private constant REFUSED = 0xffffffff;

    bool public approving;
    uint256 public burnedGas;

    function configure(bool newApproving, uint256 newBurnedGas) external {
        approving = newApproving;
        burnedGas = newBurnedGas;
    }

    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        if (tx.gasprice == 0) return APPROVED;
        uint256 begin = gasleft();
        while (begin - gasleft() < burnedGas) {}
        return approving ? APPROVED : REFUSED;
    }
}
