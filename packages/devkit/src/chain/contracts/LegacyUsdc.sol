// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./DevUsdc.sol";

/// @notice A token as USDC was before version 2.2: it knows keys only. It recovers the signer also where the payer has code, and has
/// no function that takes a wallet's signature.
contract LegacyUsdc is DevUsdc {
    function transferWithAuthorization(address, address, uint256, uint256, uint256, bytes32, bytes memory)
        external
        pure
        override
    {
        revert();
    }

    function receiveWithAuthorization(address, address, uint256, uint256, uint256, bytes32, bytes memory)
        external
        pure
        override
    {
        revert();
    }

    function _isSigned(address signer, bytes32 digest, bytes memory signature) internal pure override returns (bool) {
        return _recover(digest, signature) == signer;
    }
}
