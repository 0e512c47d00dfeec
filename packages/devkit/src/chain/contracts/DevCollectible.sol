// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice An ERC-721 of the dev chain that anyone may mint, for code that reads its events. Without approvals and
/// receiver hooks: only an owner moves a token.
contract DevCollectible {
    string public constant name = "Dev Collectible";
    string public constant symbol = "DEVC";

    mapping(uint256 => address) public ownerOf;
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd;
    }

    function mint(address to, uint256 tokenId) external {
        _mint(to, tokenId);
    }

    /// @notice Mints `count` tokens from `first` on, with a Transfer for each.
    function mintMany(address to, uint256 first, uint256 count) external {
        for (uint256 i = 0; i < count; i++) _mint(to, first + i);
    }

    function transferFrom(address from, address to, uint256 tokenId) external {
        require(from == msg.sender, "DevCollectible: caller is not the owner");
        _transfer(to, tokenId);
    }

    /// @notice Moves `count` tokens of the caller from `first` on, with a Transfer for each.
    function transferMany(address to, uint256 first, uint256 count) external {
        for (uint256 i = 0; i < count; i++) _transfer(to, first + i);
    }

    function burn(uint256 tokenId) external {
        require(ownerOf[tokenId] == msg.sender, "DevCollectible: caller is not the owner");
        balanceOf[msg.sender] -= 1;
        delete ownerOf[tokenId];
        emit Transfer(msg.sender, address(0), tokenId);
    }

    /// @notice The owners of `count` tokens from `first` on; the zero address for a token that was not minted.
    function ownersOf(uint256 first, uint256 count) external view returns (address[] memory owners) {
        owners = new address[](count);
        for (uint256 i = 0; i < count; i++) owners[i] = ownerOf[first + i];
    }

    function _mint(address to, uint256 tokenId) private {
        require(to != address(0), "DevCollectible: mint to the zero address");
        require(ownerOf[tokenId] == address(0), "DevCollectible: token is minted");
        ownerOf[tokenId] = to;
        balanceOf[to] += 1;
        emit Transfer(address(0), to, tokenId);
    }

    function _transfer(address to, uint256 tokenId) private {
        require(ownerOf[tokenId] == msg.sender, "DevCollectible: caller is not the owner");
        require(to != address(0), "DevCollectible: transfer to the zero address");
        ownerOf[tokenId] = to;
        balanceOf[msg.sender] -= 1;
        balanceOf[to] += 1;
        emit Transfer(msg.sender, to, tokenId);
    }
}
