#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace headscope::files {

/// SHA-256 (FIPS 180-4), as `sha256sum` prints it.
class Sha256 {
  public:
    void add(std::span<const std::byte> bytes);
    /// 64 hexadecimal digits. Nothing can be added afterwards.
    std::string digest();

  private:
    static constexpr std::size_t blockBytes = 64;
    void takeBlock(const std::byte* block);

    std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<std::byte, blockBytes> rest_{}; ///< of a block that is not full yet
    std::uint64_t count_ = 0;                  ///< bytes so far
};

} // namespace headscope::files
