// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./Permit2.sol";

interface IApprovableToken {
    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external;
}

/// @notice The dev chain's stand-in for x402's contract that takes the deposits of channels by Permit2. The payer signs the channel as the witness, and the
/// tokens move straight to the contract of the channels. Written to the published interface.
contract Permit2DepositCollector {
    Permit2 public constant PERMIT2 = Permit2(0x000000000022D473030F116dDEE9F6B43aC78BA3);
    address public constant SETTLEMENT = 0x4020074e9dF2ce1deE5A9C1b5c3f541D02a10003;

    string public constant DEPOSIT_WITNESS_TYPE_STRING =
        "DepositWitness witness)DepositWitness(bytes32 channelId)TokenPermissions(address token,uint256 amount)";
    bytes32 public constant DEPOSIT_WITNESS_TYPEHASH = keccak256("DepositWitness(bytes32 channelId)");

    error OnlySettlement();
    error Permit2612AmountMismatch();

    function collect(address payer, address token, uint256 amount, bytes32 channelId, bytes calldata data) external {
        if (msg.sender != SETTLEMENT) revert OnlySettlement();
        (uint256 nonce, uint256 deadline, bytes memory signature, bytes memory approval) =
            abi.decode(data, (uint256, uint256, bytes, bytes));
        if (approval.length > 0) _approvePermit2(payer, token, amount, approval);
        PERMIT2.permitWitnessTransferFrom(
            Permit2.PermitTransferFrom(Permit2.TokenPermissions(token, amount), nonce, deadline),
            Permit2.SignatureTransferDetails(SETTLEMENT, amount),
            payer,
            keccak256(abi.encode(DEPOSIT_WITNESS_TYPEHASH, channelId)),
            DEPOSIT_WITNESS_TYPE_STRING,
            signature
        );
    }

    /// An approval that somebody else submitted before has its effect already, so its failure is ignored.
    function _approvePermit2(address payer, address token, uint256 amount, bytes memory approval) private {
        (uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) =
            abi.decode(approval, (uint256, uint256, uint8, bytes32, bytes32));
        if (value != amount) revert Permit2612AmountMismatch();
        try IApprovableToken(token).permit(payer, address(PERMIT2), value, deadline, v, r, s) {} catch {}
    }
}
