// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice Verifies proofs of a whitelist as OpenZeppelin's MerkleProof does, over the leaves of its StandardMerkleTree for values of
/// (address, uint256): a wallet and how many it may mint.
contract MerkleWhitelist {
    function leafOf(address wallet, uint256 limit) public pure returns (bytes32) {
        return keccak256(bytes.concat(keccak256(abi.encode(wallet, limit))));
    }

    function verify(bytes32[] calldata proof, bytes32 root, address wallet, uint256 limit)
        external
        pure
        returns (bool)
    {
        bytes32 node = leafOf(wallet, limit);
        for (uint256 i = 0; i < proof.length; i++) {
            bytes32 sibling = proof[i];
            node = node < sibling
                ? keccak256(abi.encodePacked(node, sibling))
                : keccak256(abi.encodePacked(sibling, node));
        }
        return node == root;
    }
}
