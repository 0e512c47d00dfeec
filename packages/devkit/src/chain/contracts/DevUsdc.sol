// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IERC1271 {
    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4);
}

/// @notice The dev chain's stand-in for USDC: an ERC-20 with the transfers by authorization of EIP-3009, which behaves
/// towards payers and facilitators as USDC 2.2 does, except that anyone may mint, pause it and blacklist accounts.
/// @dev Planted as code at a fixed address. No constructor runs there, so nothing may live in immutables or in storage
/// that a constructor would have to fill; the EIP-712 domain is computed whenever it is needed.
contract DevUsdc {
    string public constant name = "USDC";
    string public constant symbol = "USDC";
    string public constant version = "2";
    uint8 public constant decimals = 6;

    bytes32 public constant TRANSFER_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 public constant RECEIVE_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 public constant CANCEL_AUTHORIZATION_TYPEHASH =
        keccak256("CancelAuthorization(address authorizer,bytes32 nonce)");
    bytes32 public constant PERMIT_TYPEHASH =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");

    /// An ECDSA signature (r, s) has a twin (r, n - s); only the one with the lower s is accepted, so that a signature
    /// cannot be altered without the key.
    uint256 private constant HALF_CURVE_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;

    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    /// Whether an authorizer's nonce was used or cancelled (EIP-3009).
    mapping(address => mapping(bytes32 => bool)) public authorizationState;
    bool public paused;
    mapping(address => bool) public isBlacklisted;
    /// The number of an owner's signed approvals (EIP-2612).
    mapping(address => uint256) public nonces;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);
    event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce);
    event Pause();
    event Unpause();
    event Blacklisted(address indexed account);
    event UnBlacklisted(address indexed account);

    /// With USDC's own messages.
    modifier whenOpen(address from, address to) {
        require(!paused, "Pausable: paused");
        require(!isBlacklisted[from] && !isBlacklisted[to], "Blacklistable: account is blacklisted");
        _;
    }

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(
            abi.encode(DOMAIN_TYPEHASH, keccak256(bytes(name)), keccak256(bytes(version)), block.chainid, address(this))
        );
    }

    /// @notice Creates tokens out of nothing. Open to all: this token exists on dev chains only.
    function mint(address to, uint256 value) external returns (bool) {
        require(to != address(0), "DevUsdc: mint to the zero address");
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
        return true;
    }

    /// @notice Stops all transfers. Open to all.
    function pause() external {
        paused = true;
        emit Pause();
    }

    function unpause() external {
        paused = false;
        emit Unpause();
    }

    /// @notice Stops all transfers from and to an account. Open to all.
    function blacklist(address account) external {
        isBlacklisted[account] = true;
        emit Blacklisted(account);
    }

    function unBlacklist(address account) external {
        isBlacklisted[account] = false;
        emit UnBlacklisted(account);
    }

    function approve(address spender, uint256 value) external returns (bool) {
        require(spender != address(0), "DevUsdc: approve to the zero address");
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    /// @notice An approval that the owner signed instead of sending it (EIP-2612).
    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
        whenOpen(owner, spender)
    {
        require(deadline >= block.timestamp, "DevUsdc: permit is expired");
        bytes32 terms = keccak256(abi.encode(PERMIT_TYPEHASH, owner, spender, value, nonces[owner]++, deadline));
        _requireSigned(owner, terms, abi.encodePacked(r, s, v));
        allowance[owner][spender] = value;
        emit Approval(owner, spender, value);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _transfer(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        require(value <= allowed, "DevUsdc: transfer amount exceeds allowance");
        allowance[from][msg.sender] = allowed - value;
        _transfer(from, to, value);
        return true;
    }

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        _transferWithAuthorization(from, to, value, validAfter, validBefore, nonce, abi.encodePacked(r, s, v));
    }

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) external virtual {
        _transferWithAuthorization(from, to, value, validAfter, validBefore, nonce, signature);
    }

    function _transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) private whenOpen(from, to) {
        _requireInTime(validAfter, validBefore);
        _requireOpen(from, nonce);
        bytes32 terms =
            keccak256(abi.encode(TRANSFER_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce));
        _requireSigned(from, terms, signature);
        _execute(from, to, value, nonce);
    }

    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        _receiveWithAuthorization(from, to, value, validAfter, validBefore, nonce, abi.encodePacked(r, s, v));
    }

    /// @notice A transfer that only the payee may submit, so that nobody can run it ahead of the payee's own contract.
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) external virtual {
        _receiveWithAuthorization(from, to, value, validAfter, validBefore, nonce, signature);
    }

    function _receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) private whenOpen(from, to) {
        require(to == msg.sender, "DevUsdc: caller must be the payee");
        _requireInTime(validAfter, validBefore);
        _requireOpen(from, nonce);
        bytes32 terms =
            keccak256(abi.encode(RECEIVE_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce));
        _requireSigned(from, terms, signature);
        _execute(from, to, value, nonce);
    }

    function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) external {
        cancelAuthorization(authorizer, nonce, abi.encodePacked(r, s, v));
    }

    function cancelAuthorization(address authorizer, bytes32 nonce, bytes memory signature) public {
        _requireOpen(authorizer, nonce);
        _requireSigned(authorizer, keccak256(abi.encode(CANCEL_AUTHORIZATION_TYPEHASH, authorizer, nonce)), signature);
        authorizationState[authorizer][nonce] = true;
        emit AuthorizationCanceled(authorizer, nonce);
    }

    function _requireOpen(address authorizer, bytes32 nonce) private view {
        require(!authorizationState[authorizer][nonce], "DevUsdc: authorization is used or canceled");
    }

    /// Both ends are exclusive, as in USDC.
    function _requireInTime(uint256 validAfter, uint256 validBefore) private view {
        require(block.timestamp > validAfter, "DevUsdc: authorization is not yet valid");
        require(block.timestamp < validBefore, "DevUsdc: authorization is expired");
    }

    function _execute(address from, address to, uint256 value, bytes32 nonce) internal virtual {
        _use(from, nonce);
        _transfer(from, to, value);
    }

    function _use(address authorizer, bytes32 nonce) internal {
        authorizationState[authorizer][nonce] = true;
        emit AuthorizationUsed(authorizer, nonce);
    }

    function _requireSigned(address signer, bytes32 terms, bytes memory signature) private view {
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", DOMAIN_SEPARATOR(), terms));
        require(_isSigned(signer, digest, signature), "DevUsdc: invalid signature");
    }

    /// Code at the signer decides, so an account that delegates to code (EIP-7702) signs as its code says.
    function _isSigned(address signer, bytes32 digest, bytes memory signature) internal view virtual returns (bool) {
        return
            signer.code.length == 0 ? _recover(digest, signature) == signer : _walletAccepts(signer, digest, signature);
    }

    function _recover(bytes32 digest, bytes memory signature) internal pure returns (address signer) {
        require(signature.length == 65, "DevUsdc: invalid signature length");
        bytes32 r;
        bytes32 s;
        uint8 v;
        assembly {
            r := mload(add(signature, 0x20))
            s := mload(add(signature, 0x40))
            v := byte(0, mload(add(signature, 0x60)))
        }
        require(uint256(s) <= HALF_CURVE_ORDER, "DevUsdc: invalid signature, s is in the upper half");
        require(v == 27 || v == 28, "DevUsdc: invalid signature, v is neither 27 nor 28");
        signer = ecrecover(digest, v, r, s);
        // The zero address is how ecrecover says no; it must never count as the signer of anything.
        require(signer != address(0), "DevUsdc: invalid signature");
    }

    /// A low-level call, because a wallet that reverts or answers nonsense has not signed, and that must not bubble up
    /// as the wallet's own error.
    function _walletAccepts(address wallet, bytes32 digest, bytes memory signature) private view returns (bool) {
        (bool answered, bytes memory answer) =
            wallet.staticcall(abi.encodeCall(IERC1271.isValidSignature, (digest, signature)));
        return answered && answer.length >= 32 && bytes32(answer) == bytes32(IERC1271.isValidSignature.selector);
    }

    function _transfer(address from, address to, uint256 value) internal virtual whenOpen(from, to) {
        require(from != address(0), "DevUsdc: transfer from the zero address");
        require(to != address(0), "DevUsdc: transfer to the zero address");
        uint256 held = balanceOf[from];
        require(value <= held, "DevUsdc: transfer amount exceeds balance");
        balanceOf[from] = held - value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}
