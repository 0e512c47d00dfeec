// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./Permit2.sol";

interface IERC20Permit {
    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external;
}

/// @notice What the two proxies of x402 share.
/// @dev Planted as code at a fixed address, without a constructor.
abstract contract Permit2Settlement {
    struct EIP2612Permit {
        uint256 value;
        uint256 deadline;
        bytes32 r;
        bytes32 s;
        uint8 v;
    }

    struct Payment {
        uint256 amount;
        address owner;
        address to;
        uint256 validAfter;
    }

    Permit2 public constant PERMIT2 = Permit2(0x000000000022D473030F116dDEE9F6B43aC78BA3);

    bool private isEntered;

    event Settled();
    event SettledWithPermit();

    error InvalidDestination();
    error InvalidOwner();
    error PaymentTooEarly();
    error Permit2612AmountMismatch();
    error ReentrancyGuardReentrantCall();

    modifier nonReentrant() {
        if (isEntered) revert ReentrancyGuardReentrantCall();
        isEntered = true;
        _;
        isEntered = false;
    }

    /// A permit that somebody else submitted before has its effect already, so its failure is ignored.
    function _approvePermit2(
        EIP2612Permit calldata permit2612,
        Permit2.PermitTransferFrom calldata permit,
        address owner
    ) internal {
        if (permit2612.value != permit.permitted.amount) revert Permit2612AmountMismatch();
        try IERC20Permit(permit.permitted.token).permit(
            owner, address(PERMIT2), permit2612.value, permit2612.deadline, permit2612.v, permit2612.r, permit2612.s
        ) {} catch {}
    }

    function _transfer(
        Payment memory payment,
        Permit2.PermitTransferFrom calldata permit,
        bytes32 witness,
        string memory witnessTypeString,
        bytes calldata signature
    ) internal {
        if (payment.owner == address(0)) revert InvalidOwner();
        if (payment.to == address(0)) revert InvalidDestination();
        if (block.timestamp < payment.validAfter) revert PaymentTooEarly();
        PERMIT2.permitWitnessTransferFrom(
            permit,
            Permit2.SignatureTransferDetails(payment.to, payment.amount),
            payment.owner,
            witness,
            witnessTypeString,
            signature
        );
    }
}
