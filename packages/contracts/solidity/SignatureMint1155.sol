// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
import {ERC1155URIStorage} from "@openzeppelin/contracts/token/ERC1155/extensions/ERC1155URIStorage.sol";
import {ERC2981} from "@openzeppelin/contracts/token/common/ERC2981.sol";
import {SignatureMint} from "./SignatureMint.sol";

/// @notice An ERC-1155 whose tokens are minted by signatures. Requests with the same URI mint units of the same token, and each
/// request without a URI those of a new one.
contract SignatureMint1155 is SignatureMint, ERC1155URIStorage {
    string public name;
    string public symbol;
    uint256 private lastTokenId;
    mapping(string uri => uint256) private tokenIds;

    constructor(string memory name_, string memory symbol_, address owner, address minter)
        ERC1155("")
        SignatureMint(owner, minter)
    {
        name = name_;
        symbol = symbol_;
    }

    function supportsInterface(bytes4 id) public view override(ERC1155, ERC2981) returns (bool) {
        return ERC1155.supportsInterface(id) || ERC2981.supportsInterface(id);
    }

    /// @dev The first request with a URI decides the royalty of its token.
    function _assignTokenId(MintRequest calldata request) internal override returns (uint256 id) {
        bool isNamed = bytes(request.uri).length > 0;
        if (isNamed) id = tokenIds[request.uri];
        if (id != 0) return id;
        id = ++lastTokenId;
        if (isNamed) tokenIds[request.uri] = id;
        _setURI(id, request.uri);
        _setRequestedRoyalty(request, id);
    }

    function _mintTokens(MintRequest calldata request, uint256 id) internal override {
        _mint(request.to, id, request.quantity, "");
    }
}
