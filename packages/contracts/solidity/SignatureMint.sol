// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ERC2981} from "@openzeppelin/contracts/token/common/ERC2981.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";

/// @notice Mints what a minter has signed, once. Anybody may send the signature and pays its price; the tokens go to its recipient.
/// @dev The request, the EIP-712 domain, `verify` and the event are those of thirdweb's SignatureMintERC721, for every kind of token.
abstract contract SignatureMint is Ownable, EIP712, ERC2981 {
    struct MintRequest {
        address to;
        address royaltyRecipient;
        uint256 royaltyBps;
        address primarySaleRecipient;
        string uri;
        uint256 quantity;
        uint256 pricePerToken;
        address currency;
        uint128 validityStartTimestamp;
        uint128 validityEndTimestamp;
        bytes32 uid;
    }

    mapping(address account => bool) public isMinter;
    mapping(bytes32 uid => bool) public isUsed;

    address private constant NATIVE_TOKEN = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;
    bytes32 private constant REQUEST_TYPE = keccak256(
        "MintRequest(address to,address royaltyRecipient,uint256 royaltyBps,address primarySaleRecipient,string uri,uint256 quantity,uint256 pricePerToken,address currency,uint128 validityStartTimestamp,uint128 validityEndTimestamp,bytes32 uid)"
    );

    event MinterChanged(address indexed minter, bool allowed);
    event TokensMintedWithSignature(
        address indexed signer, address indexed mintedTo, uint256 indexed tokenIdMinted, MintRequest mintRequest
    );

    error InvalidMinter();
    error InvalidQuantity();
    error InvalidSignature();
    error NoSaleRecipient();
    error OutsideValidity(uint128 start, uint128 end);
    error SignatureUsed(bytes32 uid);
    error WrongValue(uint256 expected);

    /// @param minter May sign mints. Pass the zero address to set the minter later.
    constructor(address owner, address minter) EIP712("SignatureMintERC721", "1") Ownable(owner) {
        if (minter != address(0)) _setMinter(minter, true);
    }

    /// @notice Allows an account to sign mints, or ends that. What it signed before is then refused too.
    function setMinter(address minter, bool allowed) external onlyOwner {
        _setMinter(minter, allowed);
    }

    /// @notice Whether a request is signed by a minter and unused. Does not check its times.
    function verify(MintRequest calldata request, bytes calldata signature)
        public
        view
        returns (bool success, address signer)
    {
        (signer,,) = ECDSA.tryRecover(_hashTypedDataV4(_hash(request)), signature);
        success = isMinter[signer] && !isUsed[request.uid];
    }

    /// @notice Mints a request, and collects its price from the sender.
    function mintWithSignature(MintRequest calldata request, bytes calldata signature)
        external
        payable
        returns (address signer)
    {
        bool success;
        (success, signer) = verify(request, signature);
        if (isUsed[request.uid]) revert SignatureUsed(request.uid);
        if (!success) revert InvalidSignature();
        (uint128 start, uint128 end) = (request.validityStartTimestamp, request.validityEndTimestamp);
        if (block.timestamp < start || block.timestamp > end) revert OutsideValidity(start, end);
        if (request.quantity == 0) revert InvalidQuantity();

        // Everything is recorded before the first call of another contract, which may call this function again.
        isUsed[request.uid] = true;
        uint256 tokenId = _assignTokenId(request);
        emit TokensMintedWithSignature(signer, request.to, tokenId, request);
        _collectPrice(request);
        _mintTokens(request, tokenId);
    }

    /// @dev Assigns the id of the requested tokens; of several, the first.
    function _assignTokenId(MintRequest calldata request) internal virtual returns (uint256);

    /// @dev Mints the requested tokens. The recipient is called, and may refuse them.
    function _mintTokens(MintRequest calldata request, uint256 tokenId) internal virtual;

    /// @dev Sets the royalty of a token. Without a recipient, the request has none.
    function _setRequestedRoyalty(MintRequest calldata request, uint256 tokenId) internal {
        if (request.royaltyRecipient == address(0)) return;
        _setTokenRoyalty(tokenId, request.royaltyRecipient, SafeCast.toUint96(request.royaltyBps));
    }

    // The zero address is the signer of every malformed signature.
    function _setMinter(address minter, bool allowed) private {
        if (minter == address(0)) revert InvalidMinter();
        isMinter[minter] = allowed;
        emit MinterChanged(minter, allowed);
    }

    function _collectPrice(MintRequest calldata request) private {
        uint256 total = request.pricePerToken * request.quantity;
        uint256 value = request.currency == NATIVE_TOKEN ? total : 0;
        if (msg.value != value) revert WrongValue(value);
        if (total == 0) return;
        address recipient = request.primarySaleRecipient;
        if (recipient == address(0)) recipient = owner();
        if (recipient == address(0)) revert NoSaleRecipient();
        if (value > 0) Address.sendValue(payable(recipient), total);
        else SafeERC20.safeTransferFrom(IERC20(request.currency), msg.sender, recipient, total);
    }

    function _hash(MintRequest calldata request) private pure returns (bytes32) {
        // In two parts, because all fields together exceed the stack.
        bytes memory terms = abi.encode(
            REQUEST_TYPE,
            request.to,
            request.royaltyRecipient,
            request.royaltyBps,
            request.primarySaleRecipient,
            keccak256(bytes(request.uri))
        );
        bytes memory price = abi.encode(
            request.quantity,
            request.pricePerToken,
            request.currency,
            request.validityStartTimestamp,
            request.validityEndTimestamp,
            request.uid
        );
        return keccak256(bytes.concat(terms, price));
    }
}
