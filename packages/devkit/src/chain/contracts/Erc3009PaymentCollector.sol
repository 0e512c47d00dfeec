// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {AuthCaptureEscrow} from "./AuthCaptureEscrow.sol";
import {IReceivingToken} from "./Erc3009DepositCollector.sol";

/// @notice The dev chain's stand-in for the contract that collects payments of the scheme auth-capture by a signed authorization (EIP-3009). The nonce
/// is the hash of the payment without its payer.
contract Erc3009PaymentCollector {
    AuthCaptureEscrow public constant authCaptureEscrow = AuthCaptureEscrow(0xf96815976523E00e65Be8f34cA5e64b4f41EB19c);
    uint8 public constant collectorType = 0;

    error OnlyAuthCaptureEscrow();
    error TransferFailed();

    function collectTokens(
        AuthCaptureEscrow.PaymentInfo calldata paymentInfo,
        address tokenStore,
        uint256 amount,
        bytes calldata collectorData
    ) external {
        if (msg.sender != address(authCaptureEscrow)) revert OnlyAuthCaptureEscrow();
        AuthCaptureEscrow.PaymentInfo memory agnostic = paymentInfo;
        agnostic.payer = address(0);
        IReceivingToken token = IReceivingToken(paymentInfo.token);
        token.receiveWithAuthorization(
            paymentInfo.payer,
            address(this),
            paymentInfo.maxAmount,
            0,
            paymentInfo.preApprovalExpiry,
            authCaptureEscrow.getHash(agnostic),
            collectorData
        );
        uint256 excess = paymentInfo.maxAmount - amount;
        if (excess > 0 && !token.transfer(paymentInfo.payer, excess)) revert TransferFailed();
        if (!token.transfer(tokenStore, amount)) revert TransferFailed();
    }
}
