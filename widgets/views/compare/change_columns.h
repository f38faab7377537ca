#pragma once

#include <QCoreApplication>

#include "model/analysis/compare/aligned_maps.h"
#include "widgets/tables/column_model.h"

#include <vector>

namespace headscope::widgets {

/// The columns of the table of changed heads.
class ChangeColumns {
    Q_DECLARE_TR_FUNCTIONS(ChangeColumns)

  public:
    enum Column { Head, Other, Divergence, Largest, Entropy, FirstUnmatched, SecondUnmatched, Rows };

    /// `nearest`: each head is compared with the nearest head of B, not with the same head.
    static TableContent content(const std::vector<analysis::HeadChange>& changes, bool nearest);
};

} // namespace headscope::widgets
