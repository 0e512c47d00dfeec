// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice An ERC-721 that mints for whoever brings a signed request, as thirdweb's SignatureMintERC721 does: same request, same EIP-712
/// domain, same functions and event. It keeps to what a dev chain needs: payment in the native token or an ERC-20, one minter role, no
/// upgrades.
contract SignatureMint721 {
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

    struct Royalty {
        address recipient;
        uint256 bps;
    }

    string public name;
    string public symbol;
    address public owner;
    uint256 public nextTokenIdToMint;

    mapping(address => bool) public isMinter;
    mapping(uint256 => address) private owners;
    mapping(address => uint256) private balances;
    mapping(uint256 => address) private approvals;
    mapping(address => mapping(address => bool)) private operators;
    mapping(uint256 => string) private uris;
    mapping(uint256 => Royalty) private royalties;
    mapping(bytes32 => bool) private used;

    address private constant NATIVE_TOKEN = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;
    bytes32 private constant REQUEST_TYPE = keccak256(
        "MintRequest(address to,address royaltyRecipient,uint256 royaltyBps,address primarySaleRecipient,string uri,uint256 quantity,uint256 pricePerToken,address currency,uint128 validityStartTimestamp,uint128 validityEndTimestamp,bytes32 uid)"
    );
    bytes32 private constant DOMAIN_TYPE =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    /// Half of the curve's order: above it a signature is the mirror of another.
    uint256 private constant HALF_ORDER = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0;

    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
    event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId);
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);
    event MinterChanged(address indexed minter, bool allowed);
    event TokensMintedWithSignature(
        address indexed signer, address indexed mintedTo, uint256 indexed tokenIdMinted, MintRequest mintRequest
    );

    constructor(string memory name_, string memory symbol_, address minter) {
        name = name_;
        symbol = symbol_;
        owner = msg.sender;
        _setMinter(minter, true);
    }

    function setMinter(address minter, bool allowed) external {
        require(msg.sender == owner, "SignatureMint721: caller is not the owner");
        _setMinter(minter, allowed);
    }

    /// @notice Whether a request could be minted by its signature, and who signed it. Does not check its times.
    function verify(MintRequest calldata request, bytes calldata signature)
        public
        view
        returns (bool success, address signer)
    {
        signer = _recover(request, signature);
        success = !used[request.uid] && signer != address(0) && isMinter[signer];
    }

    /// @notice Mints what a minter signed. Anybody may send it; the tokens go to the request's `to`.
    function mintWithSignature(MintRequest calldata request, bytes calldata signature)
        external
        payable
        returns (address signer)
    {
        bool success;
        (success, signer) = verify(request, signature);
        require(success, "Invalid req");
        require(
            request.validityStartTimestamp <= block.timestamp && block.timestamp <= request.validityEndTimestamp,
            "Req expired"
        );
        require(request.to != address(0), "recipient undefined");
        require(request.quantity > 0, "0 qty");
        used[request.uid] = true;

        uint256 first = nextTokenIdToMint;
        nextTokenIdToMint = first + request.quantity;
        balances[request.to] += request.quantity;
        for (uint256 id = first; id < first + request.quantity; id++) {
            owners[id] = request.to;
            uris[id] = request.uri;
            if (request.royaltyRecipient != address(0)) {
                royalties[id] = Royalty(request.royaltyRecipient, request.royaltyBps);
            }
            emit Transfer(address(0), request.to, id);
        }
        emit TokensMintedWithSignature(signer, request.to, first, request);
        _collect(request);
    }

    function ownerOf(uint256 tokenId) public view returns (address holder) {
        holder = owners[tokenId];
        require(holder != address(0), "SignatureMint721: no such token");
    }

    function balanceOf(address holder) external view returns (uint256) {
        require(holder != address(0), "SignatureMint721: balance of the zero address");
        return balances[holder];
    }

    function tokenURI(uint256 tokenId) external view returns (string memory) {
        ownerOf(tokenId);
        return uris[tokenId];
    }

    /// @notice ERC-2981.
    function royaltyInfo(uint256 tokenId, uint256 salePrice) external view returns (address, uint256) {
        Royalty storage royalty = royalties[tokenId];
        return (royalty.recipient, salePrice * royalty.bps / 10_000);
    }

    function getApproved(uint256 tokenId) external view returns (address) {
        ownerOf(tokenId);
        return approvals[tokenId];
    }

    function isApprovedForAll(address holder, address operator) external view returns (bool) {
        return operators[holder][operator];
    }

    function approve(address to, uint256 tokenId) external {
        address holder = ownerOf(tokenId);
        require(msg.sender == holder || operators[holder][msg.sender], "SignatureMint721: caller may not approve");
        approvals[tokenId] = to;
        emit Approval(holder, to, tokenId);
    }

    function setApprovalForAll(address operator, bool approved) external {
        operators[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function transferFrom(address from, address to, uint256 tokenId) public {
        address holder = ownerOf(tokenId);
        require(holder == from, "SignatureMint721: from is not the owner");
        require(to != address(0), "SignatureMint721: transfer to the zero address");
        require(
            msg.sender == holder || operators[holder][msg.sender] || approvals[tokenId] == msg.sender,
            "SignatureMint721: caller may not transfer"
        );
        delete approvals[tokenId];
        balances[from] -= 1;
        balances[to] += 1;
        owners[tokenId] = to;
        emit Transfer(from, to, tokenId);
    }

    function safeTransferFrom(address from, address to, uint256 tokenId) external {
        safeTransferFrom(from, to, tokenId, "");
    }

    function safeTransferFrom(address from, address to, uint256 tokenId, bytes memory data) public {
        transferFrom(from, to, tokenId);
        if (to.code.length == 0) return;
        (bool called, bytes memory answer) =
            to.call(abi.encodeWithSelector(0x150b7a02, msg.sender, from, tokenId, data));
        require(
            called && answer.length == 32 && abi.decode(answer, (bytes4)) == bytes4(0x150b7a02),
            "SignatureMint721: recipient takes no tokens"
        );
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd || id == 0x5b5e139f || id == 0x2a55205a;
    }

    function _setMinter(address minter, bool allowed) private {
        isMinter[minter] = allowed;
        emit MinterChanged(minter, allowed);
    }

    function _collect(MintRequest calldata request) private {
        address recipient = request.primarySaleRecipient == address(0) ? owner : request.primarySaleRecipient;
        uint256 total = request.pricePerToken * request.quantity;
        if (total == 0 || request.currency != NATIVE_TOKEN) {
            require(msg.value == 0, "Invalid msg value");
        } else {
            require(msg.value == total, "Must send total price.");
        }
        if (total == 0) return;
        if (request.currency == NATIVE_TOKEN) {
            (bool sent,) = recipient.call{value: total}("");
            require(sent, "SignatureMint721: the payment failed");
        } else {
            (bool called, bytes memory answer) = request.currency.call(
                abi.encodeWithSignature("transferFrom(address,address,uint256)", msg.sender, recipient, total)
            );
            require(
                called && (answer.length == 0 || abi.decode(answer, (bool))), "SignatureMint721: the payment failed"
            );
        }
    }

    function _recover(MintRequest calldata request, bytes calldata signature) private view returns (address) {
        if (signature.length != 65) return address(0);
        bytes32 r = bytes32(signature[0:32]);
        bytes32 s = bytes32(signature[32:64]);
        if (uint256(s) > HALF_ORDER) return address(0);
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", _domain(), _hash(request)));
        return ecrecover(digest, uint8(signature[64]), r, s);
    }

    function _domain() private view returns (bytes32) {
        return keccak256(
            abi.encode(
                DOMAIN_TYPE, keccak256("SignatureMintERC721"), keccak256("1"), block.chainid, address(this)
            )
        );
    }

    function _hash(MintRequest calldata request) private pure returns (bytes32) {
        // In two parts: all at once are more than the stack holds.
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
