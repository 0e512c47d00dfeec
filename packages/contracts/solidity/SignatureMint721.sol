// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC721URIStorage} from "@openzeppelin/contracts/token/ERC721/extensions/ERC721URIStorage.sol";
import {ERC2981} from "@openzeppelin/contracts/token/common/ERC2981.sol";
import {SignatureMint} from "./SignatureMint.sol";

/// @notice An ERC-721 whose tokens are minted by signatures. Each token of a request has the request's URI.
contract SignatureMint721 is SignatureMint, ERC721URIStorage {
    uint256 public nextTokenIdToMint;

    constructor(string memory name, string memory symbol, address owner, address minter)
        ERC721(name, symbol)
        SignatureMint(owner, minter)
    {}

    function supportsInterface(bytes4 id) public view override(ERC721URIStorage, ERC2981) returns (bool) {
        return ERC721URIStorage.supportsInterface(id) || ERC2981.supportsInterface(id);
    }

    function _assignTokenId(MintRequest calldata request) internal override returns (uint256 first) {
        first = nextTokenIdToMint;
        nextTokenIdToMint = first + request.quantity;
    }

    function _mintTokens(MintRequest calldata request, uint256 first) internal override {
        for (uint256 id = first; id < first + request.quantity; id++) {
            _setTokenURI(id, request.uri);
            _setRequestedRoyalty(request, id);
            _safeMint(request.to, id);
        }
    }
}
