#pragma once

#include <QCoreApplication>

#include "model/analysis/heads/statistic.h"
#include "widgets/tables/column_model.h"
#include "widgets/tables/head_filter.h"
#include "widgets/tables/known_heads.h"

#include <optional>
#include <vector>

namespace headscope::widgets {

/// The columns of the head table: address, roles, weight at the watched cell, importance, statistics.
class HeadColumns {
    Q_DECLARE_TR_FUNCTIONS(HeadColumns)

  public:
    enum Column { Head, Role, Here, Importance, FirstStatistic };

    /// `known` outlives the tooltips. Numbers that `conditions` are about are written with as many decimals
    /// as show on which side of the limit they are. Columns with nothing in the listed rows are hidden.
    static TableContent content(const KnownHeads& known, const HeadFilter::Listed& listed,
                                const std::vector<HeadCondition>& conditions);

  private:
    static TableColumn numberColumn(const KnownHeads& known, const std::vector<HeadCondition>& conditions,
                                    std::optional<analysis::Statistic> statistic);
    static QString tip(const KnownHeads& known, int place, int column);
};

} // namespace headscope::widgets
