#pragma once

#include "model/trace/lens.h"
#include "model/trace/run.h"
#include "widgets/drawing/token_label.h"
#include "widgets/map/map_layout.h"

#include <memory>
#include <optional>
#include <vector>

namespace headscope::widgets {

/// A lens as a table: a column a step, a row a stage. As in the literature the stream flows upwards: row 0 is
/// the last sublayer, which says what the model says, and the last row is the embedding.
class LensTable {
  public:
    LensTable() = default;
    /// The lens is that of the run's path. Either may be null: the table is empty.
    LensTable(std::shared_ptr<const trace::Run> run, std::shared_ptr<const trace::Lens> lens);

    bool isEmpty() const { return rows() == 0 || columns() == 0; }
    int rows() const { return lens_ ? static_cast<int>(lens_->stages.size()) : 0; }
    int columns() const { return static_cast<int>(chosen_.size()); }
    bool has(const MapCell& cell) const;

    /// Null only of an empty table.
    const std::shared_ptr<const trace::Run>& run() const { return run_; }
    const std::shared_ptr<const trace::Lens>& lens() const { return lens_; }
    const trace::LensReading& reading(MapCell cell) const;
    /// Nothing for the embedding.
    std::optional<trace::SublayerAddress> sublayer(int row) const;
    /// The token that the step chose in the end.
    const TokenLabel& chosen(int column) const { return chosen_.at(static_cast<std::size_t>(column)); }
    /// The most probable piece there.
    const TokenLabel& piece(MapCell cell) const;
    /// The lowest row from which up the chosen token stays the most probable one; nothing where the model
    /// itself finds another one more probable.
    std::optional<int> decidedRow(int column) const { return decided_.at(static_cast<std::size_t>(column)); }

  private:
    std::size_t stageOf(int row) const { return static_cast<std::size_t>(rows() - 1 - row); }

    std::shared_ptr<const trace::Run> run_;
    std::shared_ptr<const trace::Lens> lens_;
    std::vector<TokenLabel> chosen_;              ///< [T]
    std::vector<std::vector<TokenLabel>> pieces_; ///< [T][stages], as in the lens
    std::vector<std::optional<int>> decided_;     ///< [T]
};

} // namespace headscope::widgets
