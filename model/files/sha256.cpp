#include "model/files/sha256.h"

#include <algorithm>
#include <bit>

#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace headscope::files {

namespace {

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t word(const std::byte* bytes) {
    return std::to_integer<std::uint32_t>(bytes[0]) << 24 | std::to_integer<std::uint32_t>(bytes[1]) << 16 |
           std::to_integer<std::uint32_t>(bytes[2]) << 8 | std::to_integer<std::uint32_t>(bytes[3]);
}

#ifdef __x86_64__
bool hasInstructions() {
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & bit_SHA) != 0;
}

/// The same by the processor's own instructions: every command opens a model whose weights have a hash.
__attribute__((target("sha,sse4.1"))) void takeBlockByInstructions(std::uint32_t* state,
                                                                   const std::byte* block) {
    auto* halves = reinterpret_cast<__m128i*>(state);
    const auto* rows = reinterpret_cast<const __m128i*>(block);
    const auto* added = reinterpret_cast<const __m128i*>(constants.data());
    const __m128i bigEndian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    const __m128i cdab = _mm_shuffle_epi32(_mm_loadu_si128(halves), 0xb1);
    const __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128(halves + 1), 0x1b);
    const __m128i abefBefore = _mm_alignr_epi8(cdab, efgh, 8);
    const __m128i cdghBefore = _mm_blend_epi16(efgh, cdab, 0xf0);
    __m128i abef = abefBefore, cdgh = cdghBefore;
    __m128i w[4]{};
    for (int i = 0; i < 16; ++i) { // four of the 64 rounds each
        __m128i& now = w[i % 4];
        const __m128i next = w[(i + 1) % 4], late = w[(i + 2) % 4], last = w[(i + 3) % 4];
        now = i < 4
                  ? _mm_shuffle_epi8(_mm_loadu_si128(rows + i), bigEndian)
                  : _mm_sha256msg2_epu32(
                        _mm_add_epi32(_mm_sha256msg1_epu32(now, next), _mm_alignr_epi8(last, late, 4)), last);
        const __m128i both = _mm_add_epi32(now, _mm_loadu_si128(added + i));
        cdgh = _mm_sha256rnds2_epu32(cdgh, abef, both);
        abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(both, 0x0e));
    }
    const __m128i feba = _mm_shuffle_epi32(_mm_add_epi32(abef, abefBefore), 0x1b);
    const __m128i dchg = _mm_shuffle_epi32(_mm_add_epi32(cdgh, cdghBefore), 0xb1);
    _mm_storeu_si128(halves, _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128(halves + 1, _mm_alignr_epi8(dchg, feba, 8));
}
#endif

} // namespace

void Sha256::takeBlock(const std::byte* block) {
    std::array<std::uint32_t, 64> w;
    for (std::size_t t = 0; t < 16; ++t)
        w[t] = word(block + 4 * t);
    for (std::size_t t = 16; t < 64; ++t) {
        const std::uint32_t early = w[t - 15], late = w[t - 2];
        w[t] = w[t - 16] + (std::rotr(early, 7) ^ std::rotr(early, 18) ^ early >> 3) + w[t - 7] +
               (std::rotr(late, 17) ^ std::rotr(late, 19) ^ late >> 10);
    }
    auto [a, b, c, d, e, f, g, h] = state_;
    for (std::size_t t = 0; t < 64; ++t) {
        const std::uint32_t one = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                                  ((e & f) ^ (~e & g)) + constants[t] + w[t];
        const std::uint32_t two =
            (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + one, d = c, c = b, b = a, a = one + two;
    }
    const std::array<std::uint32_t, 8> sum{a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < sum.size(); ++i)
        state_[i] += sum[i];
}

void Sha256::add(std::span<const std::byte> bytes) {
    const auto held = static_cast<std::size_t>(count_ % blockBytes);
    count_ += bytes.size();
    if (held > 0) {
        const auto fill = std::min(blockBytes - held, bytes.size());
        std::copy_n(bytes.begin(), fill, rest_.begin() + static_cast<std::ptrdiff_t>(held));
        bytes = bytes.subspan(fill);
        if (held + fill < blockBytes)
            return;
        takeBlock(rest_.data());
    }
#ifdef __x86_64__
    static const bool byInstructions = hasInstructions();
    for (; byInstructions && bytes.size() >= blockBytes; bytes = bytes.subspan(blockBytes))
        takeBlockByInstructions(state_.data(), bytes.data());
#endif
    for (; bytes.size() >= blockBytes; bytes = bytes.subspan(blockBytes))
        takeBlock(bytes.data());
    std::ranges::copy(bytes, rest_.begin());
}

std::string Sha256::digest() {
    const std::uint64_t bits = 8 * count_;
    std::array<std::byte, 2 * blockBytes> end{std::byte{0x80}};
    const std::size_t held = static_cast<std::size_t>(count_ % blockBytes);
    const std::size_t padding = (held < blockBytes - 8 ? blockBytes : 2 * blockBytes) - held;
    for (std::size_t i = 0; i < 8; ++i)
        end[padding - 1 - i] = static_cast<std::byte>(bits >> (8 * i));
    add(std::span(end).first(padding));
    std::string text;
    for (const std::uint32_t part : state_)
        for (int shift = 28; shift >= 0; shift -= 4)
            text += "0123456789abcdef"[part >> shift & 15];
    return text;
}

} // namespace headscope::files
