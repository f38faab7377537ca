#include "model/files/zip_archive.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include <zip.h>

#include "model/files/file_descriptor.h"
#include "model/files/findings.h"
#include "model/trace/refusal.h"

namespace headscope::files {

namespace {

/// The best ratio that deflate can reach: 258 bytes in 2 bits. Entries that claim more are refused.
constexpr std::uint64_t largestDeflateRatio = 1032;

[[noreturn]] void refuseArchive(const std::string& where, const std::string& expected,
                                const std::string& found, const std::string& details = "") {
    throw trace::Refusal({.what = "The zip archive was refused",
                          .where = where,
                          .expected = expected,
                          .found = found,
                          .wayOut = "If it was downloaded, fetch it again.",
                          .details = details});
}

std::string messageOf(zip_error_t& error) {
    std::string message = zip_error_strerror(&error);
    zip_error_fini(&error);
    return message;
}

/// Returns what is wrong with an entry's metadata; empty if nothing.
std::string findingAbout(const zip_stat_t& status) {
    if (status.encryption_method != ZIP_EM_NONE)
        return "is encrypted";
    if (status.comp_method == ZIP_CM_STORE)
        return status.size == status.comp_size ? "" : "is stored with two different sizes";
    if (status.comp_method != ZIP_CM_DEFLATE)
        return "is packed by method " + std::to_string(status.comp_method);
    return status.size / largestDeflateRatio > status.comp_size ? "claims to unpack to more than it can" : "";
}

} // namespace

struct ZipArchive::Handle {
    zip_t* archive = nullptr;

    ~Handle() {
        if (archive)
            zip_discard(archive);
    }
    /// Takes ownership of `source`.
    void open(zip_source_t* source, zip_error_t& error, const std::string& where) {
        if (source)
            archive = zip_open_from_source(source, ZIP_RDONLY, &error);
        if (archive)
            return;
        if (source)
            zip_source_free(source);
        const bool hasNoEnd = zip_error_code_zip(&error) == ZIP_ER_NOZIP;
        const std::string message = messageOf(error);
        refuseArchive(where, "a whole zip archive",
                      hasNoEnd ? "no list of entries at its end: it was cut short, or is something else"
                               : message,
                      message);
    }
};

ZipArchive::ZipArchive(std::unique_ptr<Handle> handle, std::string where, std::uint64_t archiveBytes)
    : handle_(std::move(handle)), where_(std::move(where)), archiveBytes_(archiveBytes) {
    list();
}
ZipArchive::ZipArchive(ZipArchive&&) noexcept = default;
ZipArchive& ZipArchive::operator=(ZipArchive&&) noexcept = default;
ZipArchive::~ZipArchive() = default;

ZipArchive ZipArchive::open(const std::filesystem::path& path) {
    OpenFile file = openForReading(path);
    std::FILE* stream = ::fdopen(file.descriptor.get(), "rb");
    if (!stream)
        throw systemRefusal("The file could not be opened", path);
    file.descriptor.release(); // the stream closes it
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* source = zip_source_filep_create(stream, 0, -1, &error);
    if (!source)
        std::fclose(stream);
    auto handle = std::make_unique<Handle>();
    handle->open(source, error, path.string());
    return {std::move(handle), path.string(), file.size};
}

void ZipArchive::list() {
    if (archiveBytes_ == 0) // libzip accepts an empty file as an archive without entries
        refuseArchive(where_, "a whole zip archive", "an empty file");
    Findings findings;
    std::uint64_t packedBytes = 0;
    const zip_int64_t count = zip_get_num_entries(handle_->archive, 0);
    for (zip_int64_t i = 0; i < count; ++i) {
        const auto index = static_cast<zip_uint64_t>(i);
        zip_stat_t status;
        zip_stat_init(&status);
        // Raw, because guessing the encoding could turn two names into one.
        const char* name = zip_get_name(handle_->archive, index, ZIP_FL_ENC_RAW);
        if (!name || zip_stat_index(handle_->archive, index, 0, &status) != 0) {
            findings.add("entry " + std::to_string(i) + " cannot be read");
            continue;
        }
        if (const std::string finding = findingAbout(status); !finding.empty())
            findings.add(printable(name) + " " + finding);
        if (!indexOf_.emplace(name, entries_.size()).second)
            findings.add(printable(name) + " is there twice");
        if (__builtin_add_overflow(packedBytes, status.comp_size, &packedBytes))
            packedBytes = UINT64_MAX;
        entries_.push_back({name, status.size, status.comp_method != ZIP_CM_STORE});
    }
    if (packedBytes > archiveBytes_)
        findings.add("entries of " + std::to_string(packedBytes) + " bytes in an archive of " +
                     std::to_string(archiveBytes_));
    if (!findings.empty())
        refuseArchive(where_, "stored or deflated entries, each name once, none encrypted", findings.text());
}

const ZipEntry* ZipArchive::find(const std::string& name) const {
    const auto found = indexOf_.find(name);
    return found == indexOf_.end() ? nullptr : &entries_[found->second];
}

void ZipArchive::fill(const std::string& name, FileBytes& bytes, const std::stop_token& stop) const {
    constexpr std::size_t atOnce = std::size_t{8} << 20;
    const std::unique_ptr<zip_file_t, decltype(&zip_fclose)> file(
        zip_fopen_index(handle_->archive, indexOf_.at(name), 0), &zip_fclose);
    if (!file)
        refuseArchive(where_ + ", entry " + printable(name), "a readable entry",
                      zip_strerror(handle_->archive));
    std::size_t filled = 0;
    zip_int64_t got = 0;
    do {
        trace::throwIfStopped(stop);
        filled += got;
        got = zip_fread(file.get(), bytes.data() + filled, std::min(atOnce, bytes.size() - filled));
    } while (got > 0);
    // libzip compares the checksum only at the end of the entry, so try to read one byte more.
    char beyond = 0;
    if (filled == bytes.size())
        got = zip_fread(file.get(), &beyond, 1);
    if (filled != bytes.size() || got != 0)
        refuseArchive(where_ + ", entry " + printable(name),
                      std::to_string(bytes.size()) + " bytes with their checksum",
                      got < 0 ? zip_file_strerror(file.get())
                              : std::to_string(filled) + (got > 0 ? " bytes and more" : " bytes"));
}

FileBytes ZipArchive::read(const std::string& name, std::uint64_t maximumBytes,
                           const std::stop_token& stop) const {
    const ZipEntry* entry = find(name);
    if (!entry)
        refuseArchive(where_, "an entry " + printable(name), "none");
    if (entry->size > maximumBytes)
        refuseArchive(where_ + ", entry " + printable(name),
                      "at most " + std::to_string(maximumBytes) + " bytes",
                      std::to_string(entry->size) + " bytes");
    FileBytes bytes(entry->size);
    fill(name, bytes, stop);
    return bytes;
}

std::string ZipArchive::readText(const std::string& name, std::uint64_t maximumBytes) const {
    const FileBytes bytes = read(name, maximumBytes);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

} // namespace headscope::files
