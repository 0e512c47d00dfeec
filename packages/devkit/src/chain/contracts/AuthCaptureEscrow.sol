// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IEscrowToken {
    function balanceOf(address account) external view returns (uint256);
    function transfer(address to, uint256 value) external returns (bool);
}

interface ITokenCollector {
    function collectorType() external view returns (uint8);
    function collectTokens(
        AuthCaptureEscrow.PaymentInfo calldata paymentInfo,
        address tokenStore,
        uint256 amount,
        bytes calldata collectorData
    ) external;
}

/// @notice The dev chain's stand-in for the escrow 1.1 of the scheme auth-capture: an operator authorizes a payment, and later captures it for the
/// receiver or voids it for the payer. Written to the published interface. It keeps the tokens itself.
contract AuthCaptureEscrow {
    struct PaymentInfo {
        address operator;
        address payer;
        address receiver;
        address token;
        uint120 maxAmount;
        uint48 preApprovalExpiry;
        uint48 authorizationExpiry;
        uint48 refundExpiry;
        uint16 minFeeBps;
        uint16 maxFeeBps;
        address feeReceiver;
        uint256 salt;
    }

    struct PaymentState {
        bool hasCollectedPayment;
        uint120 capturableAmount;
        uint120 refundableAmount;
    }

    bytes32 public constant PAYMENT_INFO_TYPEHASH = keccak256(
        "PaymentInfo(address operator,address payer,address receiver,address token,uint120 maxAmount,uint48 preApprovalExpiry,uint48 authorizationExpiry,uint48 refundExpiry,uint16 minFeeBps,uint16 maxFeeBps,address feeReceiver,uint256 salt)"
    );

    event PaymentAuthorized(
        bytes32 indexed paymentInfoHash, PaymentInfo paymentInfo, uint256 amount, address tokenCollector
    );
    event PaymentCharged(
        bytes32 indexed paymentInfoHash,
        PaymentInfo paymentInfo,
        uint256 amount,
        address tokenCollector,
        uint256 feeAmount,
        address feeReceiver
    );
    event PaymentCaptured(bytes32 indexed paymentInfoHash, uint256 amount, uint256 feeAmount, address feeReceiver);
    event PaymentVoided(bytes32 indexed paymentInfoHash, uint256 amount);
    event PaymentReclaimed(bytes32 indexed paymentInfoHash, uint256 amount);
    event PaymentRefunded(bytes32 indexed paymentInfoHash, uint256 amount, address tokenCollector);

    error InvalidSender(address sender, address expected);
    error ZeroAmount();
    error AmountOverflow(uint256 amount, uint256 limit);
    error ExceedsMaxAmount(uint256 amount, uint256 maxAmount);
    error AfterPreApprovalExpiry(uint48 timestamp, uint48 expiry);
    error InvalidExpiries(uint48 preApproval, uint48 authorization, uint48 refund);
    error FeeBpsOverflow(uint16 feeBps);
    error InvalidFeeBpsRange(uint16 minFeeBps, uint16 maxFeeBps);
    error FeeAmountOutOfRange(uint256 feeAmount, uint256 minFee, uint256 maxFee);
    error ZeroFeeReceiver();
    error InvalidFeeReceiver(address attempted, address expected);
    error InvalidCollectorForOperation();
    error TokenCollectionFailed();
    error TokenTransferFailed();
    error PaymentAlreadyCollected(bytes32 paymentInfoHash);
    error AfterAuthorizationExpiry(uint48 timestamp, uint48 expiry);
    error InsufficientAuthorization(bytes32 paymentInfoHash, uint256 authorizedAmount, uint256 requestedAmount);
    error ZeroAuthorization(bytes32 paymentInfoHash);
    error BeforeAuthorizationExpiry(uint48 timestamp, uint48 expiry);
    error AfterRefundExpiry(uint48 timestamp, uint48 expiry);
    error RefundExceedsCapture(uint256 refund, uint256 captured);

    mapping(bytes32 => PaymentState) public paymentState;

    modifier onlySender(address expected) {
        if (msg.sender != expected) revert InvalidSender(msg.sender, expected);
        _;
    }

    modifier validAmount(uint256 amount) {
        if (amount == 0) revert ZeroAmount();
        if (amount > type(uint120).max) revert AmountOverflow(amount, type(uint120).max);
        _;
    }

    function authorize(
        PaymentInfo calldata paymentInfo,
        uint256 amount,
        address tokenCollector,
        bytes calldata collectorData
    ) external onlySender(paymentInfo.operator) validAmount(amount) {
        bytes32 id = _begin(paymentInfo, amount);
        paymentState[id] = PaymentState(true, uint120(amount), 0);
        emit PaymentAuthorized(id, paymentInfo, amount, tokenCollector);
        _collect(paymentInfo, amount, tokenCollector, collectorData, 0);
    }

    function charge(
        PaymentInfo calldata paymentInfo,
        uint256 amount,
        address tokenCollector,
        bytes calldata collectorData,
        uint256 feeAmount,
        address feeReceiver
    ) external onlySender(paymentInfo.operator) validAmount(amount) {
        bytes32 id = _begin(paymentInfo, amount);
        _requireFee(paymentInfo, amount, feeAmount, feeReceiver);
        paymentState[id] = PaymentState(true, 0, uint120(amount));
        emit PaymentCharged(id, paymentInfo, amount, tokenCollector, feeAmount, feeReceiver);
        _collect(paymentInfo, amount, tokenCollector, collectorData, 0);
        _distribute(paymentInfo, amount, feeAmount, feeReceiver);
    }

    function capture(PaymentInfo calldata paymentInfo, uint256 amount, uint256 feeAmount, address feeReceiver)
        external
        onlySender(paymentInfo.operator)
        validAmount(amount)
    {
        _requireFee(paymentInfo, amount, feeAmount, feeReceiver);
        if (block.timestamp >= paymentInfo.authorizationExpiry) {
            revert AfterAuthorizationExpiry(uint48(block.timestamp), paymentInfo.authorizationExpiry);
        }
        bytes32 id = getHash(paymentInfo);
        PaymentState storage state = paymentState[id];
        if (amount > state.capturableAmount) revert InsufficientAuthorization(id, state.capturableAmount, amount);
        state.capturableAmount -= uint120(amount);
        state.refundableAmount += uint120(amount);
        emit PaymentCaptured(id, amount, feeAmount, feeReceiver);
        _distribute(paymentInfo, amount, feeAmount, feeReceiver);
    }

    function void(PaymentInfo calldata paymentInfo) external onlySender(paymentInfo.operator) {
        bytes32 id = getHash(paymentInfo);
        emit PaymentVoided(id, _release(paymentInfo, id));
    }

    function reclaim(PaymentInfo calldata paymentInfo) external onlySender(paymentInfo.payer) {
        if (block.timestamp < paymentInfo.authorizationExpiry) {
            revert BeforeAuthorizationExpiry(uint48(block.timestamp), paymentInfo.authorizationExpiry);
        }
        bytes32 id = getHash(paymentInfo);
        emit PaymentReclaimed(id, _release(paymentInfo, id));
    }

    function refund(
        PaymentInfo calldata paymentInfo,
        uint256 amount,
        address tokenCollector,
        bytes calldata collectorData
    ) external onlySender(paymentInfo.operator) validAmount(amount) {
        if (block.timestamp >= paymentInfo.refundExpiry) {
            revert AfterRefundExpiry(uint48(block.timestamp), paymentInfo.refundExpiry);
        }
        bytes32 id = getHash(paymentInfo);
        uint120 captured = paymentState[id].refundableAmount;
        if (amount > captured) revert RefundExceedsCapture(amount, captured);
        paymentState[id].refundableAmount = captured - uint120(amount);
        emit PaymentRefunded(id, amount, tokenCollector);
        _collect(paymentInfo, amount, tokenCollector, collectorData, 1);
        _pay(paymentInfo.token, paymentInfo.payer, amount);
    }

    function getHash(PaymentInfo calldata paymentInfo) public view returns (bytes32) {
        bytes32 structHash = keccak256(abi.encode(PAYMENT_INFO_TYPEHASH, paymentInfo));
        return keccak256(abi.encode(block.chainid, address(this), structHash));
    }

    function getTokenStore(address) public view returns (address) {
        return address(this);
    }

    /// @dev Checks what the payer signed, and that nothing was collected for it.
    function _begin(PaymentInfo calldata info, uint256 amount) private view returns (bytes32 id) {
        if (amount > info.maxAmount) revert ExceedsMaxAmount(amount, info.maxAmount);
        if (block.timestamp >= info.preApprovalExpiry) {
            revert AfterPreApprovalExpiry(uint48(block.timestamp), info.preApprovalExpiry);
        }
        if (info.preApprovalExpiry > info.authorizationExpiry || info.authorizationExpiry > info.refundExpiry) {
            revert InvalidExpiries(info.preApprovalExpiry, info.authorizationExpiry, info.refundExpiry);
        }
        if (info.maxFeeBps > 10_000) revert FeeBpsOverflow(info.maxFeeBps);
        if (info.minFeeBps > info.maxFeeBps) revert InvalidFeeBpsRange(info.minFeeBps, info.maxFeeBps);
        id = getHash(info);
        if (paymentState[id].hasCollectedPayment) revert PaymentAlreadyCollected(id);
    }

    function _requireFee(PaymentInfo calldata info, uint256 amount, uint256 fee, address receiver) private pure {
        uint256 least = (amount * info.minFeeBps) / 10_000;
        uint256 most = (amount * info.maxFeeBps) / 10_000;
        if (fee < least || fee > most) revert FeeAmountOutOfRange(fee, least, most);
        if (receiver == address(0) && fee > 0) revert ZeroFeeReceiver();
        if (info.feeReceiver != address(0) && info.feeReceiver != receiver) {
            revert InvalidFeeReceiver(receiver, info.feeReceiver);
        }
    }

    function _collect(
        PaymentInfo calldata info,
        uint256 amount,
        address collector,
        bytes calldata data,
        uint8 collectorType
    ) private {
        if (ITokenCollector(collector).collectorType() != collectorType) revert InvalidCollectorForOperation();
        uint256 before = IEscrowToken(info.token).balanceOf(address(this));
        ITokenCollector(collector).collectTokens(info, address(this), amount, data);
        if (IEscrowToken(info.token).balanceOf(address(this)) != before + amount) revert TokenCollectionFailed();
    }

    function _release(PaymentInfo calldata info, bytes32 id) private returns (uint256 amount) {
        amount = paymentState[id].capturableAmount;
        if (amount == 0) revert ZeroAuthorization(id);
        paymentState[id].capturableAmount = 0;
        _pay(info.token, info.payer, amount);
    }

    function _distribute(PaymentInfo calldata info, uint256 amount, uint256 fee, address feeReceiver) private {
        if (fee > 0) _pay(info.token, feeReceiver, fee);
        if (amount > fee) _pay(info.token, info.receiver, amount - fee);
    }

    function _pay(address token, address to, uint256 amount) private {
        if (!IEscrowToken(token).transfer(to, amount)) revert TokenTransferFailed();
    }
}
