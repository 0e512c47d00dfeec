// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {AuthCaptureEscrow} from "./AuthCaptureEscrow.sol";
import {IReceivingToken} from "./Erc3009DepositCollector.sol";

/// @notice Collects refunds of the scheme auth-capture from whoever signs an authorization (EIP-3009) for them, so that the operator pays nothing.
/// The nonce is a hash of the payment and of what the escrow held before the refund: no such state returns, and no other call accepts the signature.
/// Operators deploy it on real chains, at the same address on each.
contract Erc3009RefundCollector {
    AuthCaptureEscrow public constant authCaptureEscrow = AuthCaptureEscrow(0xf96815976523E00e65Be8f34cA5e64b4f41EB19c);
    uint8 public constant collectorType = 1;

    error OnlyAuthCaptureEscrow();
    error TransferFailed();

    /// @param collectorData Who pays, and its signature.
    function collectTokens(
        AuthCaptureEscrow.PaymentInfo calldata paymentInfo,
        address tokenStore,
        uint256 amount,
        bytes calldata collectorData
    ) external {
        if (msg.sender != address(authCaptureEscrow)) revert OnlyAuthCaptureEscrow();
        (address funder, bytes memory signature) = abi.decode(collectorData, (address, bytes));
        IReceivingToken token = IReceivingToken(paymentInfo.token);
        bytes32 nonce = _computeNonce(paymentInfo, amount);
        token.receiveWithAuthorization(funder, address(this), amount, 0, paymentInfo.refundExpiry, nonce, signature);
        if (!token.transfer(tokenStore, amount)) revert TransferFailed();
    }

    /// @dev The escrow has subtracted the refund.
    function _computeNonce(AuthCaptureEscrow.PaymentInfo calldata paymentInfo, uint256 amount)
        private
        view
        returns (bytes32)
    {
        bytes32 id = authCaptureEscrow.getHash(paymentInfo);
        (, uint120 capturable, uint120 refundable) = authCaptureEscrow.paymentState(id);
        return keccak256(abi.encode(id, uint256(capturable), uint256(refundable) + amount));
    }
}
