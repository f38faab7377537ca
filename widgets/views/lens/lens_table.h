#pragma once

#include <QString>
#include <QStringList>

#include "model/trace/lens.h"
#include "model/trace/run.h"
#include "widgets/drawing/token_label.h"
#include "widgets/map/map_layout.h"
#include "widgets/views/lens/lens_tint.h"

#include <memory>
#include <optional>
#include <vector>

namespace headscope::widgets {

/// A lens as a table: one column per step, in an encoder alone per mask or one of its class, one row per
/// stage. As in the literature, the stream flows upwards: row 0 is the last sublayer, which predicts what the
/// model predicts; the last row is the embedding.
class LensTable {
  public:
    LensTable() = default;
    /// `lens` must belong to the path of `run`. The table is empty if either is null.
    LensTable(std::shared_ptr<const trace::Run> run, std::shared_ptr<const trace::Lens> lens);

    bool isEmpty() const { return rows() == 0 || columns() == 0; }
    int rows() const { return lens_ ? lens_->stages.size() : 0; }
    int columns() const { return chosen_.size(); }
    bool has(const MapCell& cell) const;

    bool areNumbers() const { return lens_ && lens_->areNumbers; } ///< trace::Lens::areNumbers; no tint
    /// Null only if the table is empty.
    const std::shared_ptr<const trace::Run>& run() const { return run_; }
    const std::shared_ptr<const trace::Lens>& lens() const { return lens_; }
    const trace::LensReading& reading(MapCell cell) const;
    /// Nullopt for the embedding.
    std::optional<trace::SublayerAddress> sublayer(int row) const;
    /// What the model chose at this step.
    const TokenLabel& chosen(int column) const { return chosen_.at(column); }
    /// The most probable token at this cell, or the number.
    const TokenLabel& piece(MapCell cell) const { return pieces_.at(cell.column).at(stageOf(cell.row)); }
    /// Returns the lowest row from which up the chosen token stays the most probable one; nullopt if the
    /// model itself prefers another token.
    std::optional<int> decidedRow(int column) const { return decided_.at(column); }

  private:
    std::size_t stageOf(int row) const { return rows() - 1 - row; }

    std::shared_ptr<const trace::Run> run_;
    std::shared_ptr<const trace::Lens> lens_;
    std::vector<TokenLabel> chosen_;              ///< [steps]
    std::vector<std::vector<TokenLabel>> pieces_; ///< [steps, stages], stages in the order of the lens
    std::vector<std::optional<int>> decided_;     ///< [steps]
};

/// "cross-attention", for the heading of a row; the first row adds "= model".
QString lensRowName(const LensTable& table, int row);
/// "After cross-attention, layer 1"; the first row adds ": the model's own prediction".
QString lensStageInWords(const LensTable& table, int row);
/// "Step 5 of 12: after “seiner”, choosing “Tochter”", "Mask 2 of 3: “cat”", or "Class “positive”".
QString lensStepInWords(const LensTable& table, int column);

/// One line for the status bar: step, stage, the most probable token, and probability and rank of the chosen
/// one.
QString lensCellStatus(const LensTable& table, MapCell cell);
/// Lines of text: stage, step, the five most probable tokens, and probability and rank of the chosen one.
QStringList lensCellLines(const LensTable& table, MapCell cell);

/// Sentences that define what is drawn. `table` must not be empty.
QString lensCaption(const LensTable& table, LensTint tint);

} // namespace headscope::widgets
