// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./DevUsdc.sol";

/// @notice A token whose transfers differ from those of USDC as its flags say: in their events, or in what arrives. For tests of
/// facilitators. Anyone may change the flags.
contract OddToken is DevUsdc {
    uint256 private constant EVENT_BEFORE = 1;
    /// Another event between the use of an authorization and its transfer.
    uint256 private constant EVENT_BETWEEN = 2;
    uint256 private constant EVENT_AFTER = 4;
    /// The transfer comes before the use of its authorization.
    uint256 private constant TRANSFER_FIRST = 8;
    /// Moves tokens without a Transfer event.
    uint256 private constant WITHOUT_EVENT = 16;
    /// Emits a Transfer event and moves nothing.
    uint256 private constant WITHOUT_EFFECT = 32;
    /// The sender pays the fee on top, with an event of its own.
    uint256 private constant SENDER_FEE = 64;
    /// The recipient receives less by the fee, with events for both.
    uint256 private constant RECIPIENT_FEE = 128;
    /// The recipient receives less by the fee, and the event has the whole value, as where balances are rounded.
    uint256 private constant HIDDEN_FEE = 256;
    /// The recipient receives more by the fee.
    uint256 private constant BONUS = 512;

    address private constant COLLECTOR = address(0xFEE);

    uint256 private flags;
    uint256 private fee;

    event Noted();

    function configure(uint256 newFlags, uint256 newFee) external {
        flags = newFlags;
        fee = newFee;
    }

    function _has(uint256 flag) private view returns (bool) {
        return flags & flag != 0;
    }

    function _execute(address from, address to, uint256 value, bytes32 nonce) internal override {
        if (_has(EVENT_BEFORE)) emit Noted();
        if (!_has(TRANSFER_FIRST)) _use(from, nonce);
        if (_has(EVENT_BETWEEN) && !_has(TRANSFER_FIRST)) emit Noted();
        _transfer(from, to, value);
        if (_has(EVENT_BETWEEN) && _has(TRANSFER_FIRST)) emit Noted();
        if (_has(TRANSFER_FIRST)) _use(from, nonce);
        if (_has(EVENT_AFTER)) emit Noted();
    }

    function _transfer(address from, address to, uint256 value) internal override {
        if (_has(SENDER_FEE)) super._transfer(from, COLLECTOR, fee);
        if (_has(RECIPIENT_FEE)) super._transfer(from, COLLECTOR, fee);
        uint256 arriving = _has(RECIPIENT_FEE) ? value - fee : value;
        if (_has(WITHOUT_EFFECT)) {
            emit Transfer(from, to, value);
        } else if (_has(WITHOUT_EVENT)) {
            balanceOf[from] -= arriving;
            balanceOf[to] += arriving;
        } else {
            super._transfer(from, to, arriving);
        }
        if (_has(HIDDEN_FEE)) balanceOf[to] -= fee;
        if (_has(BONUS)) balanceOf[to] += fee;
    }
}
