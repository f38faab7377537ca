#include "app/traces/trace_tensors.h"

#include "model/files/available_memory.h"
#include "model/files/element_values.h"
#include "model/trace/refusal.h"

#include <algorithm>
#include <span>

namespace headscope::app {

using files::ElementType;

namespace {

/// Converts in parts, so that stored bytes and numbers are never both completely in memory.
void convertInParts(const TraceTensors::Entry& entry, std::span<const std::byte> stored, std::span<float> to,
                    const std::stop_token& stop) {
    constexpr std::size_t atOnce = std::size_t{1} << 20;
    const std::size_t size = sizeOf(entry.type);
    for (std::size_t done = 0; done < to.size(); done += atOnce) {
        trace::throwIfStopped(stop);
        const std::size_t next = std::min(atOnce, to.size() - done);
        files::toFloats(entry.type, stored.subspan(done * size, next * size), to.subspan(done, next));
    }
}

void refuseTooLittleMemory(const TraceTensors::Entry& entry) {
    const auto needed = static_cast<double>(entry.end - entry.begin) /
                        static_cast<double>(sizeOf(entry.type)) * sizeof(float);
    if (needed > files::availableMemory().value_or(needed))
        throw files::memoryRefusal("There is not enough memory to convert \"" + entry.name + "\" to float32",
                                   needed,
                                   "save the trace as float32, of which only the visible parts are read");
}

template <class Number>
std::vector<Number> numbersOf(const files::FileBytes& bytes) {
    std::vector<Number> numbers(bytes.size() / sizeof(Number));
    std::copy_n(bytes.data(), bytes.size(), reinterpret_cast<std::byte*>(numbers.data()));
    return numbers;
}

} // namespace

TraceTensors::TraceTensors(const std::filesystem::path& path, const std::stop_token& stop)
    : file_(TraceFile::open(path, stop)), stop_(stop) {
    for (const auto& entry : file_->header().entries)
        bytes_ += entry.end - entry.begin;
}

TraceTensors TraceTensors::within(const std::string& folder) const {
    auto inside = *this;
    inside.folder_ += folder + "/";
    inside.findings_ = {};
    return inside;
}

std::optional<std::string> TraceTensors::words() const {
    const auto found = file_->header().metadata.find(TraceFile::wordsKey);
    return found == file_->header().metadata.end() ? std::nullopt : std::optional(found->second);
}

const TraceTensors::Entry* TraceTensors::find(const std::string& name,
                                              const std::vector<std::int64_t>& shape) {
    const auto* entry = file_->find(folder_ + name);
    if (!entry)
        return nullptr;
    const bool fits = entry->shape.size() == shape.size() &&
                      std::ranges::equal(entry->shape, shape, [](auto is, auto want) {
                          return is == want || (want < 0 && is > 0);
                      });
    if (fits)
        return entry;
    std::string expected;
    for (const auto size : shape)
        expected += (expected.empty() ? "" : ", ") + (size < 0 ? "any" : std::to_string(size));
    findings_.add("\"" + entry->name + "\" is " + files::shapeText(entry->shape) +
                  ", its tokens and weights ask for [" + expected + "]");
    return nullptr;
}

std::size_t TraceTensors::rank(const std::string& name) const {
    const auto* entry = file_->find(folder_ + name);
    return entry ? entry->shape.size() : 0;
}

std::shared_ptr<const float> TraceTensors::values(const Entry& entry) const {
    if (bytes_ > largestReadWhole || file_->isInMemory())
        if (const auto mapped = file_->map(entry)) {
            if (entry.type == ElementType::Float32)
                return {mapped, reinterpret_cast<const float*>(mapped.get())};
            const std::size_t bytes = entry.end - entry.begin;
            refuseTooLittleMemory(entry);
            auto floats = std::make_shared<std::vector<float>>(bytes / sizeOf(entry.type));
            convertInParts(entry, {mapped.get(), bytes}, *floats, stop_);
            return {floats, floats->data()};
        }
    const auto stored = file_->read(entry, stop_);
    auto floats = std::make_shared<std::vector<float>>(stored.size() / sizeOf(entry.type));
    files::toFloats(entry.type, {stored.data(), stored.size()}, *floats);
    return {floats, floats->data()};
}

std::vector<float> TraceTensors::list(const Entry& entry) const {
    const auto all = values(entry);
    return {all.get(), all.get() + files::checkedProduct(entry.shape).value_or(0)};
}

std::vector<double> TraceTensors::doubles(const Entry& entry) const {
    if (entry.type != ElementType::Float64) {
        const auto floats = list(entry);
        return {floats.begin(), floats.end()};
    }
    return numbersOf<double>(file_->read(entry, stop_));
}

std::vector<std::int64_t> TraceTensors::integers(const Entry& entry) {
    if (entry.type != ElementType::Int64) {
        findings_.add("\"" + entry.name + "\" is " + std::string(files::name(entry.type)) +
                      ", which should be int64");
        return {};
    }
    return numbersOf<std::int64_t>(file_->read(entry, stop_));
}

void TraceTensors::readIds(const std::string& name, std::vector<trace::Token>& tokens) {
    const auto* stored = find(name, {static_cast<std::int64_t>(tokens.size())});
    if (!stored || stored->type != ElementType::Int64)
        return;
    const auto ids = integers(*stored);
    for (std::size_t i = 0; i < tokens.size(); ++i)
        tokens[i].id = ids[i];
}

double TraceTensors::roundoff() const {
    double roundoff = 0;
    for (const auto& entry : file_->header().entries)
        roundoff = std::max(roundoff, entry.type == ElementType::Float16    ? 0x1p-11
                                      : entry.type == ElementType::BFloat16 ? 0x1p-8
                                                                            : 0);
    return roundoff;
}

} // namespace headscope::app
