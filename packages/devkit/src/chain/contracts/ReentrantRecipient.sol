// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice Receives tokens, and repeats a call each time that it is called by their contract.
contract ReentrantRecipient {
    address private target;
    bytes private data;
    uint256 public attempts;
    uint256 public successes;

    function prepare(address target_, bytes calldata data_) external {
        target = target_;
        data = data_;
    }

    function onERC721Received(address, address, uint256, bytes calldata) external returns (bytes4) {
        _reenter();
        return this.onERC721Received.selector;
    }

    function onERC1155Received(address, address, uint256, uint256, bytes calldata) external returns (bytes4) {
        _reenter();
        return this.onERC1155Received.selector;
    }

    function _reenter() private {
        attempts += 1;
        (bool success,) = target.call(data);
        if (success) successes += 1;
    }
}
