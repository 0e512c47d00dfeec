// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice A proxy in front of a token that hides why the token reverts: it reverts without data, or with a
/// custom error. For tests against tokens that give no reason text.
contract SilentToken {
    error Refused();

    /// Holds the address of the token.
    bytes32 private constant IMPLEMENTATION = keccak256("SilentToken.implementation");
    /// Not zero: revert with the custom error.
    bytes32 private constant CUSTOM_ERROR = keccak256("SilentToken.customError");

    fallback() external {
        bytes32 implementationSlot = IMPLEMENTATION;
        bytes32 customErrorSlot = CUSTOM_ERROR;
        address implementation;
        bool customError;
        assembly {
            implementation := sload(implementationSlot)
            customError := sload(customErrorSlot)
        }
        (bool done, bytes memory answer) = implementation.delegatecall(msg.data);
        if (!done && customError) revert Refused();
        if (!done) revert();
        assembly {
            return(add(answer, 0x20), mload(answer))
        }
    }
}
