// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice Deploys any wallet at an address that follows from its code and a salt (CREATE2), so that it can sign before it exists (ERC-6492).
contract WalletFactory {
    /// @notice Returns a wallet that exists already, as usual factories do: creating it again would consume all gas. Reverts if its
    /// constructor reverts.
    function deploy(bytes32 salt, bytes memory initCode) external returns (address wallet) {
        bytes32 digest = keccak256(abi.encodePacked(hex"ff", address(this), salt, keccak256(initCode)));
        wallet = address(uint160(uint256(digest)));
        if (wallet.code.length > 0) return wallet;
        assembly {
            wallet := create2(0, add(initCode, 0x20), mload(initCode), salt)
        }
        require(wallet != address(0), "WalletFactory: the wallet was not deployed");
    }
}
