#include "widgets/words/put_in.h"

#include "widgets/words/typed_source.h"

#include <algorithm>
#include <string_view>

namespace headscope::widgets {

namespace {

constexpr std::string_view continues = "##"; ///< of a WordPiece vocabulary

bool endsWithSpace(const std::string& text) {
    return text.ends_with(' ') || text.ends_with('\t');
}

} // namespace

std::optional<PutIn> putIn(const trace::Run& run, std::size_t position, const trace::Token& token) {
    if (const auto* ids = std::get_if<trace::SourceIds>(&run.request.source);
        ids && position < ids->ids.size()) {
        const auto typed = [](std::vector<std::int64_t> some) {
            return typedText(trace::SourceIds{.ids = std::move(some), .segments = {}});
        };
        const auto at = ids->ids.begin() + static_cast<std::ptrdiff_t>(position);
        PutIn made{.text = {},
                   .second = {},
                   .before = typed({ids->ids.begin(), at}),
                   .after = typed({at + 1, ids->ids.end()}),
                   .replaced = QString::number(*at),
                   .written = QString::number(token.id)};
        if (!made.before.isEmpty())
            made.before += ' ';
        if (!made.after.isEmpty())
            made.after.prepend(' ');
        made.text = made.whole(true).toStdString();
        return made;
    }
    const auto* text = std::get_if<std::string>(&run.request.source);
    const bool isOfSecond = run.secondText && position >= *run.secondText;
    if (!text || position >= run.source.size() || !run.source[position].range ||
        (isOfSecond && !run.request.second))
        return std::nullopt;
    const std::string& whole = isOfSecond ? *run.request.second : *text;
    const auto [begin, end] = *run.source[position].range;
    if (begin > end || end > whole.size())
        return std::nullopt;
    std::string before = whole.substr(0, begin);
    std::string written = token.piece;
    const bool areSpacesMarked = std::ranges::any_of(
        run.source, [](const trace::Token& each) { return each.piece.starts_with(trace::spaceMark); });
    const bool isMarked = written.starts_with(trace::spaceMark);
    bool isContinued = areSpacesMarked && !isMarked && token.role == trace::TokenRole::Text;
    if (isMarked)
        written.erase(0, trace::spaceMark.size());
    else if (!areSpacesMarked && written.starts_with(continues) && written.size() > continues.size()) {
        written.erase(0, continues.size());
        isContinued = true;
    }
    if (isMarked && !before.empty() && !endsWithSpace(before))
        before += ' ';
    while (isContinued && endsWithSpace(before))
        before.pop_back();
    const std::size_t kept = std::min(before.size(), begin); // of the text as it is
    PutIn made{.text = *text,
               .second = run.request.second,
               .before = QString::fromStdString(before),
               .after = QString::fromStdString(whole.substr(end)),
               .replaced = QString::fromStdString(whole.substr(kept, end - kept)),
               .written = QString::fromStdString(written)};
    (isOfSecond ? *made.second : made.text) = before + written + whole.substr(end);
    return made;
}

} // namespace headscope::widgets
