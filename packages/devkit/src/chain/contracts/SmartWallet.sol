// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice The smallest wallet that is a contract: it approves what its owner's key has signed (ERC-1271), and executes
/// calls of its owner. For tests of payers that are not plain keys.
contract SmartWallet {
    bytes4 private constant APPROVED = 0x1626ba7e;
    bytes4 private constant REFUSED = 0xffffffff;

    address public owner;

    constructor(address firstOwner) {
        owner = firstOwner;
    }

    receive() external payable {}

    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        if (signature.length != 65) return REFUSED;
        bytes32 r = bytes32(signature[0:32]);
        bytes32 s = bytes32(signature[32:64]);
        address signer = ecrecover(digest, uint8(signature[64]), r, s);
        return signer != address(0) && signer == owner ? APPROVED : REFUSED;
    }

    function execute(address target, uint256 value, bytes calldata data) external returns (bytes memory) {
        require(msg.sender == owner, "SmartWallet: caller is not the owner");
        (bool done, bytes memory answer) = target.call{value: value}(data);
        if (!done) {
            // Revert with the target's own reason.
            assembly {
                revert(add(answer, 0x20), mload(answer))
            }
        }
        return answer;
    }
}
