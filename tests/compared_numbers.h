#pragma once

#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <ranges>
#include <string>
#include <vector>

/// Comparisons of numbers. Each has a limit that says where it comes from, and a message with array, place,
/// both values and the limit. With the environment variable HEADSCOPE_LIMITS=FILE every comparison appends a
/// line to FILE, from which tests/limits.py makes a table.
namespace headscope::tests {

/// The largest relative error of one rounding to nearest (Higham, Accuracy and Stability of Numerical
/// Algorithms, 2002, 2.2).
inline constexpr double float32 = 0x1p-24;
inline constexpr double float64 = 0x1p-53;

/// How far a number may be from the one that is expected, and why.
struct Limit {
    double distance = 0;
    std::string origin;
};

inline std::string inWords(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2g", value);
    return text;
}

inline std::string nameOf(double precision) {
    return precision == float32 ? "float32" : precision == float64 ? "float64" : "u = " + inWords(precision);
}

/// A sum of `terms` products in any order, where the absolute values of the products sum to `sizes`:
/// n u / (1 - n u) sizes (Higham 2002, 3.1).
inline Limit ofSum(std::size_t terms, double sizes, double precision = float32) {
    const double roundings = static_cast<double>(std::max<std::size_t>(terms, 1)) * precision;
    return {roundings / (1 - roundings) * sizes, "sum of " + std::to_string(terms) +
                                                     " products of sizes that sum to " + inWords(sizes) +
                                                     " in " + nameOf(precision)};
}

/// A number of at most this size after so many roundings, one after the other.
inline Limit ofRoundings(std::size_t count, double size, double precision = float32) {
    return {static_cast<double>(count) * precision * size,
            std::to_string(count) + " roundings of " + inWords(size) + " in " + nameOf(precision)};
}

/// A weight of a softmax over `keys` scores: each exponent s - max rounds by u |s - max| and the exponential
/// by 2 u, relative to its value; then come the sum and the division.
inline Limit ofSoftmax(std::size_t keys, double largestScore, double weight = 1, double precision = float32) {
    const double roundings = 4 * largestScore + 2 * 2 + static_cast<double>(keys) + 2;
    return {roundings * precision * weight, "softmax of " + std::to_string(keys) + " scores up to " +
                                                inWords(largestScore) + " in " + nameOf(precision)};
}

/// A mean of so many independent draws of this standard deviation: it is further away once in 16,000 times.
inline Limit ofDraws(std::size_t draws, double deviation) {
    return {4 * deviation / std::sqrt(static_cast<double>(draws)),
            "4 standard errors of " + std::to_string(draws) + " draws of deviation " + inWords(deviation)};
}

/// Limits of steps that follow one another, or of two numbers that are compared with each other.
inline Limit operator+(const Limit& one, const Limit& other) {
    return {one.distance + other.distance, one.origin + " + " + other.origin};
}
inline Limit operator*(double factor, const Limit& limit) {
    return {factor * limit.distance, inWords(factor) + " x (" + limit.origin + ")"};
}

/// A number that is written with so many decimal digits after the point.
inline Limit ofDigits(int digits) {
    return {0.5 * std::pow(10, -digits),
            "written with " + std::to_string(digits) + " digits after the point"};
}

/// The same bits are expected, except that 0 equals -0.
inline Limit exact() {
    return {0, "exact"};
}

template <class Numbers>
double largestSize(const Numbers& numbers) {
    double largest = 0;
    for (const auto number : numbers)
        if (std::isfinite(static_cast<double>(number)))
            largest = std::max(largest, std::abs(static_cast<double>(number)));
    return largest;
}

/// The outcome of a comparison of two arrays: where their distance is the largest share of the limit.
struct Comparison {
    bool agrees = true;
    double share = 0;    ///< of the limit; infinite if the limit is 0 and the numbers differ
    std::string message; ///< for QVERIFY2

    explicit operator bool() const { return agrees; }
};

/// Names the place `index` of an array: "[1, 0, 3]", or "[17]" if its shape is not given.
inline std::string placeIn(const std::vector<std::uint64_t>& shape, std::size_t index) {
    std::string place = shape.empty() ? std::to_string(index) : "";
    for (std::size_t dimension = shape.size(); dimension-- > 0; index /= shape[dimension])
        place = std::to_string(index % shape[dimension]) + (place.empty() ? "" : ", ") + place;
    return '[' + place + ']';
}

/// Appends a line to the file of HEADSCOPE_LIMITS.
inline void record(const std::string& array, std::size_t numbers, const Limit& limit, double share) {
    static std::FILE* const file = [] {
        const char* const path = std::getenv("HEADSCOPE_LIMITS");
        auto* const opened = path ? std::fopen(path, "a") : nullptr;
        if (path && !opened)
            qFatal("HEADSCOPE_LIMITS: %s cannot be written", path);
        return opened;
    }();
    if (!file)
        return;
    const QObject* const test = QTest::testObject();
    std::fprintf(file, "%s\t%s\t%s\t%zu\t%.3g\t%.3g\t%s\n", test ? test->metaObject()->className() : "",
                 QTest::currentTestFunction() ? QTest::currentTestFunction() : "", array.c_str(), numbers,
                 limit.distance, share, limit.origin.c_str());
    std::fflush(file);
}

/// Compares arrays of one size. `limitAt` returns the limit at an index. NaN agrees with NaN only, an
/// infinite number with itself only.
template <std::ranges::range Found, std::ranges::range Expected>
Comparison compare(const std::string& array, const Found& found, const Expected& expected,
                   const std::function<Limit(std::size_t)>& limitAt,
                   const std::vector<std::uint64_t>& shape = {}) {
    const auto count = static_cast<std::size_t>(std::size(expected));
    if (static_cast<std::size_t>(std::size(found)) != count)
        return {.agrees = false,
                .share = std::numeric_limits<double>::infinity(),
                .message = array + ": " + std::to_string(std::size(found)) + " numbers, expected " +
                           std::to_string(count)};
    Comparison worst;
    Limit limit = count > 0 ? limitAt(0) : exact();
    std::size_t worstAt = 0;
    auto one = std::begin(found);
    auto other = std::begin(expected);
    for (std::size_t i = 0; i < count; ++i, ++one, ++other) {
        const auto a = static_cast<double>(*one);
        const auto b = static_cast<double>(*other);
        if (a == b || (std::isnan(a) && std::isnan(b)))
            continue;
        const Limit here = limitAt(i);
        const double share = std::abs(a - b) / here.distance;
        if (!(share <= worst.share)) {
            worst.share = std::isnan(share) ? std::numeric_limits<double>::infinity() : share;
            worstAt = i;
            limit = here;
        }
    }
    worst.agrees = worst.share <= 1;
    record(array, count, limit, worst.share);
    if (count > 0) {
        char values[128];
        const double a =
            static_cast<double>(*std::next(std::begin(found), static_cast<std::ptrdiff_t>(worstAt)));
        const double b =
            static_cast<double>(*std::next(std::begin(expected), static_cast<std::ptrdiff_t>(worstAt)));
        std::snprintf(values, sizeof values, ": found %.9g, expected %.9g, distance %.3g, limit %.3g: ", a, b,
                      std::abs(a - b), limit.distance);
        worst.message = array + ' ' + placeIn(shape, worstAt) + values + limit.origin;
    }
    return worst;
}

/// The same with one limit for all numbers.
template <std::ranges::range Found, std::ranges::range Expected>
Comparison compare(const std::string& array, const Found& found, const Expected& expected, const Limit& limit,
                   const std::vector<std::uint64_t>& shape = {}) {
    return compare(
        array, found, expected, [&](std::size_t) { return limit; }, shape);
}

/// Two numbers.
inline Comparison compare(const std::string& name, double found, double expected, const Limit& limit) {
    return compare(name, std::vector{found}, std::vector{expected}, limit);
}

} // namespace headscope::tests

/// Fails the test with the comparison's message if the numbers do not agree.
#define VERIFY_AGREES(...)                                                                                   \
    do {                                                                                                     \
        const auto comparison = (__VA_ARGS__);                                                               \
        QVERIFY2(comparison.agrees, comparison.message.c_str());                                             \
    } while (false)
