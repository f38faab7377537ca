#pragma once

#include <QStringList>

#include "model/trace/figure_data.h"
#include "model/trace/matrix.h"
#include "model/trace/run.h"
#include "widgets/drawing/token_label.h"
#include "widgets/words/quantity.h"

#include <limits>
#include <string>
#include <vector>

namespace headscope::widgets {

/// Where there is no number.
inline constexpr double noNumber = std::numeric_limits<double>::quiet_NaN();

/// The name of a quantity's array, the same in every language.
std::string dataName(Quantity quantity);

trace::DataAxis dataAxis(std::string name, const std::vector<TokenLabel>& labels);
/// NaN where `mask` closes a cell; null: all are open.
trace::DataArray dataArray(std::string name, trace::MatrixView values, const trace::MaskMatrix* mask,
                           trace::DataAxis rows, trace::DataAxis columns);
/// The same of one side.
trace::DataArray dataArray(std::string name, std::vector<double> values, trace::DataAxis axis);
/// Heads above each other, all of one site.
trace::DataArray dataArray(std::string name, const trace::HeadStack& heads, const trace::MaskMatrix& mask,
                           trace::DataAxis queries, trace::DataAxis keys);
/// All heads of one attention, "cross.2.weights".
trace::DataArray headsOfSite(const trace::Run& run, const trace::AttentionRecord& record);

trace::DataColumn dataColumn(std::string title, std::vector<double> values);
trace::DataColumn dataColumn(std::string title, const QStringList& texts);
} // namespace headscope::widgets
