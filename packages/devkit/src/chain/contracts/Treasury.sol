// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice Takes the native-token deposits from which a payer's settles are charged. It keeps no accounts: the
/// facilitator's ledger credits a payer for each Deposited event.
contract Treasury {
    address public owner;

    event Deposited(address indexed payer, uint256 amount);
    event Withdrawn(address indexed to, uint256 amount);
    event OwnerChanged(address indexed previousOwner, address indexed newOwner);

    modifier onlyOwner() {
        require(msg.sender == owner, "Treasury: caller is not the owner");
        _;
    }

    constructor(address firstOwner) {
        require(firstOwner != address(0), "Treasury: owner is the zero address");
        owner = firstOwner;
        emit OwnerChanged(address(0), firstOwner);
    }

    /// @notice Credits whoever sends. A contract that cannot be the payer should call depositFor.
    receive() external payable {
        _deposit(msg.sender);
    }

    /// @notice Credits `payer` with what the caller sends along.
    function depositFor(address payer) external payable {
        _deposit(payer);
    }

    function withdraw(address payable to, uint256 amount) external onlyOwner {
        require(to != address(0), "Treasury: withdrawal to the zero address");
        emit Withdrawn(to, amount);
        (bool sent,) = to.call{value: amount}("");
        require(sent, "Treasury: withdrawal failed");
    }

    function changeOwner(address newOwner) external onlyOwner {
        require(newOwner != address(0), "Treasury: owner is the zero address");
        emit OwnerChanged(owner, newOwner);
        owner = newOwner;
    }

    function _deposit(address payer) private {
        require(payer != address(0), "Treasury: deposit for the zero address");
        require(msg.value > 0, "Treasury: nothing deposited");
        emit Deposited(payer, msg.value);
    }
}
