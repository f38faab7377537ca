#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

struct evp_md_ctx_st; // OpenSSL's

namespace headscope::files {

/// SHA-256 (FIPS 180-4), as `sha256sum` prints it.
class Sha256 {
  public:
    /// Throws std::bad_alloc.
    Sha256();
    void add(std::span<const std::byte> bytes);
    /// 64 hexadecimal digits. Nothing can be added afterwards.
    std::string digest();

  private:
    struct Free {
        void operator()(evp_md_ctx_st* context) const;
    };
    std::unique_ptr<evp_md_ctx_st, Free> context_;
};

} // namespace headscope::files
