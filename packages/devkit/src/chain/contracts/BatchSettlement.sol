// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IChannelToken {
    function balanceOf(address account) external view returns (uint256);
    function transfer(address to, uint256 value) external returns (bool);
}

interface IDepositCollector {
    function collect(address payer, address token, uint256 amount, bytes32 channelId, bytes calldata data) external;
}

/// @notice The dev chain's stand-in for x402's contract of the scheme batch-settlement: payment channels that are paid by signed vouchers with growing
/// totals. Written to the published interface.
contract BatchSettlement {
    struct ChannelConfig {
        address payer;
        address payerAuthorizer;
        address receiver;
        address receiverAuthorizer;
        address token;
        uint40 withdrawDelay;
        bytes32 salt;
    }

    struct Voucher {
        ChannelConfig channel;
        uint128 maxClaimableAmount;
    }

    struct VoucherClaim {
        Voucher voucher;
        bytes signature;
        uint128 totalClaimed;
    }

    struct ChannelState {
        uint128 balance;
        uint128 totalClaimed;
    }

    struct ReceiverState {
        uint128 totalClaimed;
        uint128 totalSettled;
    }

    struct Withdrawal {
        uint128 amount;
        uint40 initiatedAt;
    }

    bytes32 public constant CHANNEL_CONFIG_TYPEHASH = keccak256(
        "ChannelConfig(address payer,address payerAuthorizer,address receiver,address receiverAuthorizer,address token,uint40 withdrawDelay,bytes32 salt)"
    );
    bytes32 private constant VOUCHER_TYPEHASH = keccak256("Voucher(bytes32 channelId,uint128 maxClaimableAmount)");
    bytes32 private constant REFUND_TYPEHASH = keccak256("Refund(bytes32 channelId,uint256 nonce,uint128 amount)");
    bytes32 private constant CLAIM_ENTRY_TYPEHASH =
        keccak256("ClaimEntry(bytes32 channelId,uint128 maxClaimableAmount,uint128 totalClaimed)");
    bytes32 private constant CLAIM_BATCH_TYPEHASH = keccak256(
        "ClaimBatch(ClaimEntry[] claims)ClaimEntry(bytes32 channelId,uint128 maxClaimableAmount,uint128 totalClaimed)"
    );

    event Deposited(bytes32 indexed channelId, address indexed sender, uint128 amount, uint128 newBalance);
    event Claimed(bytes32 indexed channelId, address indexed sender, uint128 claimAmount, uint128 newTotalClaimed);
    event Settled(address indexed receiver, address indexed token, address indexed sender, uint128 amount);

    error InvalidChannel();
    error InvalidSignature();
    error InvalidAmount();
    error InvalidNonce();
    error WithdrawalAlreadyPending();
    error WithdrawDelayNotElapsed();
    error TokenTransferFailed();

    mapping(bytes32 => ChannelState) public channels;
    mapping(bytes32 => Withdrawal) public pendingWithdrawals;
    mapping(bytes32 => uint256) public refundNonce;
    mapping(address => mapping(address => ReceiverState)) public receivers;

    function multicall(bytes[] calldata data) external returns (bytes[] memory results) {
        results = new bytes[](data.length);
        for (uint256 i = 0; i < data.length; i++) {
            (bool ok, bytes memory result) = address(this).delegatecall(data[i]);
            if (!ok) {
                assembly {
                    revert(add(result, 32), mload(result))
                }
            }
            results[i] = result;
        }
    }

    function deposit(ChannelConfig calldata config, uint128 amount, address collector, bytes calldata collectorData)
        external
    {
        if (config.payer == address(0) || config.receiver == address(0) || config.receiverAuthorizer == address(0)) {
            revert InvalidChannel();
        }
        if (config.withdrawDelay < 15 minutes || config.withdrawDelay > 30 days) revert InvalidChannel();
        if (amount == 0) revert InvalidAmount();
        bytes32 id = getChannelId(config);
        channels[id].balance += amount;
        uint256 before = IChannelToken(config.token).balanceOf(address(this));
        IDepositCollector(collector).collect(config.payer, config.token, amount, id, collectorData);
        if (IChannelToken(config.token).balanceOf(address(this)) != before + amount) revert TokenTransferFailed();
        emit Deposited(id, msg.sender, amount, channels[id].balance);
    }

    function claim(VoucherClaim[] calldata voucherClaims) external {
        for (uint256 i = 0; i < voucherClaims.length; i++) {
            if (voucherClaims[i].voucher.channel.receiverAuthorizer != msg.sender) revert InvalidSignature();
            _claim(voucherClaims[i]);
        }
    }

    function claimWithSignature(VoucherClaim[] calldata voucherClaims, bytes calldata authorizerSignature) external {
        if (voucherClaims.length == 0) revert InvalidAmount();
        address authorizer = voucherClaims[0].voucher.channel.receiverAuthorizer;
        _requireSigned(authorizer, getClaimBatchDigest(voucherClaims), authorizerSignature);
        for (uint256 i = 0; i < voucherClaims.length; i++) {
            if (voucherClaims[i].voucher.channel.receiverAuthorizer != authorizer) revert InvalidChannel();
            _claim(voucherClaims[i]);
        }
    }

    function settle(address receiver, address token) external {
        ReceiverState storage state = receivers[receiver][token];
        uint128 amount = state.totalClaimed - state.totalSettled;
        // Nothing is due: the call succeeds without an event.
        if (amount == 0) return;
        state.totalSettled = state.totalClaimed;
        _pay(token, receiver, amount);
        emit Settled(receiver, token, msg.sender, amount);
    }

    function initiateWithdraw(ChannelConfig calldata config, uint128 amount) external {
        if (msg.sender != config.payer && msg.sender != config.payerAuthorizer) revert InvalidSignature();
        bytes32 id = getChannelId(config);
        if (pendingWithdrawals[id].initiatedAt != 0) revert WithdrawalAlreadyPending();
        if (amount == 0 || amount > channels[id].balance - channels[id].totalClaimed) revert InvalidAmount();
        pendingWithdrawals[id] = Withdrawal(amount, uint40(block.timestamp));
    }

    function finalizeWithdraw(ChannelConfig calldata config) external {
        if (msg.sender != config.payer && msg.sender != config.payerAuthorizer) revert InvalidSignature();
        bytes32 id = getChannelId(config);
        Withdrawal memory pending = pendingWithdrawals[id];
        if (pending.initiatedAt == 0 || block.timestamp < pending.initiatedAt + config.withdrawDelay) {
            revert WithdrawDelayNotElapsed();
        }
        delete pendingWithdrawals[id];
        _returnUnclaimed(config, id, pending.amount);
    }

    function refund(ChannelConfig calldata config, uint128 amount) external {
        if (msg.sender != config.receiver && msg.sender != config.receiverAuthorizer) revert InvalidSignature();
        _refund(config, getChannelId(config), amount);
    }

    function refundWithSignature(
        ChannelConfig calldata config,
        uint128 amount,
        uint256 nonce,
        bytes calldata receiverAuthorizerSignature
    ) external {
        bytes32 id = getChannelId(config);
        if (nonce != refundNonce[id]) revert InvalidNonce();
        _requireSigned(config.receiverAuthorizer, getRefundDigest(id, nonce, amount), receiverAuthorizerSignature);
        _refund(config, id, amount);
    }

    function getChannelId(ChannelConfig calldata config) public view returns (bytes32) {
        return _digest(
            keccak256(
                abi.encode(
                    CHANNEL_CONFIG_TYPEHASH,
                    config.payer,
                    config.payerAuthorizer,
                    config.receiver,
                    config.receiverAuthorizer,
                    config.token,
                    config.withdrawDelay,
                    config.salt
                )
            )
        );
    }

    function getVoucherDigest(bytes32 channelId, uint128 maxClaimableAmount) public view returns (bytes32) {
        return _digest(keccak256(abi.encode(VOUCHER_TYPEHASH, channelId, maxClaimableAmount)));
    }

    function getRefundDigest(bytes32 channelId, uint256 nonce, uint128 amount) public view returns (bytes32) {
        return _digest(keccak256(abi.encode(REFUND_TYPEHASH, channelId, nonce, amount)));
    }

    function getClaimBatchDigest(VoucherClaim[] calldata voucherClaims) public view returns (bytes32) {
        bytes32[] memory entries = new bytes32[](voucherClaims.length);
        for (uint256 i = 0; i < voucherClaims.length; i++) {
            Voucher calldata voucher = voucherClaims[i].voucher;
            entries[i] = keccak256(
                abi.encode(
                    CLAIM_ENTRY_TYPEHASH,
                    getChannelId(voucher.channel),
                    voucher.maxClaimableAmount,
                    voucherClaims[i].totalClaimed
                )
            );
        }
        return _digest(keccak256(abi.encode(CLAIM_BATCH_TYPEHASH, keccak256(abi.encodePacked(entries)))));
    }

    function _claim(VoucherClaim calldata voucherClaim) private {
        ChannelConfig calldata config = voucherClaim.voucher.channel;
        bytes32 id = getChannelId(config);
        uint128 total = voucherClaim.totalClaimed;
        uint128 previous = channels[id].totalClaimed;
        // A total that was claimed before changes nothing, and its voucher is not verified.
        if (total <= previous) return;
        if (total > voucherClaim.voucher.maxClaimableAmount || total > channels[id].balance) revert InvalidAmount();
        address signer = config.payerAuthorizer == address(0) ? config.payer : config.payerAuthorizer;
        _requireSigned(signer, getVoucherDigest(id, voucherClaim.voucher.maxClaimableAmount), voucherClaim.signature);
        channels[id].totalClaimed = total;
        receivers[config.receiver][config.token].totalClaimed += total - previous;
        emit Claimed(id, msg.sender, total - previous, total);
    }

    /// @dev Uses the nonce also if nothing is left. A refund takes from a pending withdrawal.
    function _refund(ChannelConfig calldata config, bytes32 id, uint128 amount) private {
        if (amount == 0) revert InvalidAmount();
        refundNonce[id] += 1;
        uint128 paid = _returnUnclaimed(config, id, amount);
        Withdrawal storage pending = pendingWithdrawals[id];
        if (paid >= pending.amount) delete pendingWithdrawals[id];
        else pending.amount -= paid;
    }

    /// @dev Pays at most what was not claimed back to the payer.
    function _returnUnclaimed(ChannelConfig calldata config, bytes32 id, uint128 amount)
        private
        returns (uint128 paid)
    {
        uint128 available = channels[id].balance - channels[id].totalClaimed;
        paid = amount < available ? amount : available;
        channels[id].balance -= paid;
        if (paid > 0) _pay(config.token, config.payer, paid);
    }

    function _pay(address token, address to, uint256 amount) private {
        if (!IChannelToken(token).transfer(to, amount)) revert TokenTransferFailed();
    }

    function _requireSigned(address signer, bytes32 digest, bytes calldata signature) private pure {
        if (signature.length != 65) revert InvalidSignature();
        bytes32 r = bytes32(signature[0:32]);
        bytes32 s = bytes32(signature[32:64]);
        address recovered = ecrecover(digest, uint8(signature[64]), r, s);
        if (recovered == address(0) || recovered != signer) revert InvalidSignature();
    }

    function _digest(bytes32 structHash) private view returns (bytes32) {
        bytes32 separator = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("x402 Batch Settlement"),
                keccak256("1"),
                block.chainid,
                address(this)
            )
        );
        return keccak256(abi.encodePacked("\x19\x01", separator, structHash));
    }
}
