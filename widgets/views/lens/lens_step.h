#pragma once

#include "widgets/tables/column_model.h"
#include "widgets/views/lens/lens_table.h"

#include <QString>

#include <optional>
#include <vector>

namespace headscope::widgets {

/// Probabilities to compare those of the chosen token with, in words and [stages] in the order of the lens.
struct LensBaseline {
    QString name;
    std::vector<double> probabilities;
};

/// One step of a lens as a table: a row per sublayer, the last one first, with what the model would say after
/// it, the probability of the chosen token and, if it is compared with another, that one's and their
/// difference.
TableContent lensStepContent(const LensTable& table, int step,
                             const std::optional<LensBaseline>& baseline = std::nullopt);
/// "“wer” is first from cross 1 on; its lead is largest after ff 1."
QString lensStepNote(const LensTable& table, int step);
/// Sentences that define what the table lists.
QString lensStepCaption(const LensTable& table, int step);

} // namespace headscope::widgets
