#include "widgets/views/compare/compare_question.h"

#include "model/analysis/architecture/architecture_memory.h"
#include "model/trace/refusal.h"
#include "model/trace/run_path.h"
#include "widgets/map/linked_maps.h"
#include "widgets/map/pooled_cells.h"
#include "widgets/map/ready_map.h"
#include "widgets/tiles/head_thumbnails.h"

#include <algorithm>
#include <chrono>

namespace headscope::widgets {

namespace {

bool hasHead(const trace::Run& run, const trace::HeadAddress& head) {
    const auto* record = run.record(head.site);
    return record && head.head < record->heads();
}

void chooseOther(CompareAnswer& answer, const trace::Task& work) {
    const auto& [pair, head, other] = answer.question;
    if (other.choice == OtherHead::Choice::This && other.head.site.kind == head.site.kind &&
        hasHead(*pair.second, other.head)) {
        answer.other = other.head;
    } else if (other.choice != OtherHead::Choice::Nearest && hasHead(*pair.second, head)) {
        answer.other = head;
    } else if (const auto nearest =
                   analysis::nearestHead(*pair.first, head, *pair.second, answer.alignment, work)) {
        answer.other = nearest->other;
        answer.nearest = nearest->divergence;
    }
}

std::size_t cellsOf(const CompareAnswer& answer) {
    const auto kind = answer.question.head.site.kind;
    return answer.alignment.queriesOf(kind).places.size() * answer.alignment.keysOf(kind).places.size();
}

/// Fills the smaller pictures, some rows at a time.
class Pictures {
  public:
    explicit Pictures(const analysis::AlignedMaps& maps) {
        for (const bool alignedOnly : {false, true}) {
            ComparedPicture picture{.rows = shownPlaces(maps.rows, alignedOnly),
                                    .columns = shownPlaces(maps.columns, alignedOnly)};
            picture.tokens =
                tokensACell(picture.rows.size(), picture.columns.size(), trace::longestStoredMap);
            const auto cells = [&](std::size_t count) {
                return (count + picture.tokens - 1) / picture.tokens;
            };
            for (auto& pooled : pooled_.emplace_back())
                pooled = {cells(picture.rows.size()), cells(picture.columns.size()), Pooling::Extreme};
            pictures_.push_back(std::move(picture));
        }
        next_.resize(pictures_.size());
    }

    /// The rows of the axes from the place `first` on.
    void add(const analysis::AlignedMaps& some, std::size_t first) {
        for (std::size_t p = 0; p < pictures_.size(); ++p) {
            const auto& rows = pictures_[p].rows;
            auto& next = next_[p];
            for (; next < rows.size() && rows[next] < first + some.rows.size(); ++next)
                addRow(p, next, some, rows[next] - first);
        }
    }

    std::vector<ComparedPicture> take() {
        for (std::size_t p = 0; p < pictures_.size(); ++p)
            for (std::size_t map = 0; map < pooled_[p].size(); ++map) {
                pictures_[p].values[map] = std::move(pooled_[p][map].values);
                pictures_[p].masks[map] = std::move(pooled_[p][map].open);
            }
        return std::move(pictures_);
    }

  private:
    void addRow(std::size_t p, std::size_t shown, const analysis::AlignedMaps& some, std::size_t row) {
        const auto& picture = pictures_[p];
        const std::array values{&some.first, &some.second, &some.change};
        const std::array masks{&some.firstOpen, &some.secondOpen, &some.both};
        for (std::size_t map = 0; map < values.size(); ++map)
            for (std::size_t c = 0; c < picture.columns.size(); ++c)
                pooled_[p][map].add(shown / picture.tokens, c / picture.tokens,
                                    (*values[map])(row, picture.columns[c]),
                                    (*masks[map])(row, picture.columns[c]) != 0);
    }

    std::vector<ComparedPicture> pictures_;
    std::vector<std::array<PooledCells, 3>> pooled_;
    std::vector<std::size_t> next_; ///< of each picture's rows
};

void addSums(std::vector<std::optional<double>>& to, const std::vector<std::optional<double>>& some) {
    to.resize(some.size());
    for (std::size_t i = 0; i < some.size(); ++i)
        if (some[i])
            to[i] = to[i].value_or(0) + *some[i];
}

void compareLong(CompareAnswer& answer, const trace::Task& work) {
    constexpr std::size_t rowsTogether = 32; // between two looks at the stop token
    const auto& [pair, head, other] = answer.question;
    const auto& queries = answer.alignment.queriesOf(head.site.kind);
    const auto& keys = answer.alignment.keysOf(head.site.kind);
    const analysis::ComparedRows compared(*pair.first, head, *pair.second, *answer.other, queries, keys,
                                          std::nullopt, work.part(0, 2));
    if (compared.empty())
        return;
    auto& maps = answer.maps;
    maps.rows = queries.places;
    maps.columns = keys.places;
    Pictures pictures(maps);
    for (std::size_t first = 0; first < maps.rows.size(); first += rowsTogether) {
        work.part(1, 2).report(first, maps.rows.size());
        const auto some = compared.rows({first, std::min(maps.rows.size(), first + rowsTogether)});
        pictures.add(some, first);
        maps.largest = std::max(maps.largest, some.largest);
        maps.rowComparisons.insert(maps.rowComparisons.end(), some.rowComparisons.begin(),
                                   some.rowComparisons.end());
        addSums(maps.firstReceived, some.firstReceived);
        addSums(maps.secondReceived, some.secondReceived);
    }
    answer.pictures = pictures.take();
}

} // namespace

std::size_t OtherRun::bytes(const Value& value) {
    return static_cast<std::size_t>(analysis::runBytes(*value));
}

OtherBranch::Value OtherBranch::count(const trace::Task& /*work*/) const {
    return trace::atPath(*run, run->paths.at(path).leaf);
}

std::vector<std::size_t> shownPlaces(const std::vector<analysis::AlignedPlace>& places, bool alignedOnly) {
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < places.size(); ++i)
        if (!alignedOnly || places[i].isPair())
            shown.push_back(i);
    return shown;
}

analysis::AlignedMaps comparedRow(const CompareAnswer& answer, std::size_t place) {
    const auto& [pair, head, other] = answer.question;
    const analysis::MapSpan one{place, place + 1};
    const analysis::ComparedRows row(*pair.first, head, *pair.second, *answer.other,
                                     answer.alignment.queriesOf(head.site.kind),
                                     answer.alignment.keysOf(head.site.kind), one);
    return row.rows(one);
}

analysis::RunAlignment alignmentOf(const ComparedPair& pair, const std::stop_token& stop) {
    return pair.steps ? analysis::alignSteps(*pair.first, pair.steps->first, pair.steps->second)
                      : analysis::alignRuns(*pair.first, *pair.second, stop);
}

bool haveCommonAxes(const CompareAnswer& answer) {
    const auto kind = answer.question.head.site.kind;
    return answer.alignment.queriesOf(kind).pairs() > 0 && answer.alignment.keysOf(kind).pairs() > 0;
}

bool canBeDrawn(const CompareAnswer& answer) {
    return cellsOf(answer) <= mostComparedCells;
}

bool isLong(const CompareAnswer& answer) {
    return cellsOf(answer) > mostKeptCells;
}

CompareAnswer CompareQuestion::count(const trace::Task& work) const {
    const auto& stop = work.stop();
    CompareAnswer answer{.question = *this, .alignment = alignmentOf(pair, stop)};
    answer.said = analysis::compareSaid(*pair.first, *pair.second, answer.alignment.by, stop);
    work.report(0.1); // aligning takes little beside the maps
    chooseOther(answer, work.between(0.1, 0.5));
    if (answer.other) {
        const auto& queries = answer.alignment.queriesOf(head.site.kind);
        const auto& keys = answer.alignment.keysOf(head.site.kind);
        if (!canBeDrawn(answer))
            return answer;
        if (isLong(answer)) {
            compareLong(answer, work.between(0.5, 1));
            return answer;
        }
        answer.maps = analysis::compareMaps(
            analysis::unitMap(*pair.first, head, queries.first, keys.first, work.between(0.5, 0.7)),
            analysis::unitMap(*pair.second, *answer.other, queries.second, keys.second,
                              work.between(0.7, 0.9)),
            queries, keys);
    }
    return answer;
}

CompareAnswer ComparedQuantity::count(const trace::Task& work) const {
    CompareAnswer answer = *weights;
    const auto& [pair, head, chosen] = answer.question;
    const auto& queries = answer.alignment.queriesOf(head.site.kind);
    const auto& keys = answer.alignment.keysOf(head.site.kind);
    const MapOptions options{.quantity = quantity};
    // Each side's map is that of the heatmap.
    const auto sideOf = [&](const trace::Run& run, const Maps& maps, const trace::HeadAddress& at,
                            const std::vector<analysis::AxisUnit>& rows,
                            const std::vector<analysis::AxisUnit>& columns) {
        const auto map = isRecomputed(run, at, options) ? computeLongMap(run, at, options, work.stop())->shown
                                                        : shownMap(run, maps.get(), at, options);
        return analysis::unitMap(at, analysis::tableOf(trace::view(map.values), map.mask), rows, columns);
    };
    const auto own = sideOf(*pair.first, first, head, queries.first, keys.first);
    work.report(0.5);
    answer.quantity = quantity;
    answer.others = analysis::alignMaps(
        own, sideOf(*pair.second, second, *answer.other, queries.second, keys.second), queries,
        keys, // behind the mask a score is minus infinity
        quantity == Quantity::OpenScores ? analysis::Masked::IsNothing : analysis::Masked::IsZero);
    answer.limit = 0;
    const auto& maps = answer.others;
    for (const auto& [values, open] :
         {std::pair(&maps.first, &maps.firstOpen), std::pair(&maps.second, &maps.secondOpen)}) {
        const ShownMap side{.kind = head.site.kind, .values = *values, .mask = *open};
        answer.limit = std::max(answer.limit, mapTones(side, options).limit);
    }
    if (first && second)
        answer.about = {first->token, second->token};
    return answer;
}

ComparedHeads::Value ComparedHeads::count(const trace::Task& work) const {
    constexpr std::chrono::milliseconds slice(100);
    analysis::HeadChangeSteps steps(
        pair.first, pair.second,
        std::make_shared<const analysis::RunAlignment>(alignmentOf(pair, work.stop())));
    while (!steps.goOn(slice, work))
        work.report(steps.done(), steps.heads());
    return steps.changes();
}

ChangedMaps::Value ChangedMaps::count(const trace::Task& work) const {
    Value made;
    for (std::size_t i = 0; i < heads.size(); ++i) {
        const auto& [own, other] = heads[i];
        auto answer = CompareQuestion{.pair = pair,
                                      .head = own,
                                      .other = {.choice = OtherHead::Choice::This, .head = other}}
                          .count(work.part(i, heads.size()));
        const bool isLong = !answer.pictures.empty();
        LinkedMap map;
        map.values = std::move(isLong ? answer.pictures.front().values[2] : answer.maps.change);
        map.mask = std::move(isLong ? answer.pictures.front().masks[2] : answer.maps.both);
        if (!map.values.empty())
            map = pooled(std::move(map), tileSide);
        made.push_back({std::move(map.values), std::move(map.mask), answer.maps.largest});
    }
    return made;
}

std::vector<analysis::HeadChange> mostChangedFirst(std::vector<analysis::HeadChange> changes) {
    std::erase_if(changes, [](const auto& change) { return change.rows == 0; });
    std::ranges::stable_sort(changes, std::ranges::greater(), &analysis::HeadChange::divergence);
    return changes;
}

} // namespace headscope::widgets
