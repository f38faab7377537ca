// Which token gave each of the pooled features.
#include "widgets/export/figure_data_parts.h"
#include "widgets/tables/numbers_table.h"
#include "widgets/views/classifier/classifier_view.h"

namespace headscope::widgets {

void ClassifierView::showFeatures() {
    const auto tokens = tokenLabels(run_->source);
    const auto& weights = reading_->weights.at(chosenClass());
    const QString chosen = nameOf(chosenClass());
    std::vector<TokenLabel> names;
    NumberColumn feature{.title = tr("feature"), .toolTip = tr("counted from 0"), .whole = true};
    NumberColumn position{
        .title = tr("position"), .toolTip = tr("of the token, counted from 0"), .whole = true};
    NumberColumn value{.title = tr("value"),
                       .toolTip = tr("the feature's largest one, which this token gave")};
    NumberColumn weight{.title = tr("weight"), .toolTip = tr("of the feature for %1").arg(chosen)};
    NumberColumn added{.title = tr("adds"),
                       .toolTip = tr("value times weight, to the logit of %1").arg(chosen),
                       .bars = true};
    for (std::size_t f = 0; f < reading_->positions.size(); ++f) {
        names.push_back(tokens.at(reading_->positions[f]));
        feature.values.push_back(static_cast<double>(f));
        position.values.push_back(static_cast<double>(reading_->positions[f]));
        value.values.push_back(reading_->features.at(f));
        weight.values.push_back(weights.at(f));
        added.values.push_back(reading_->features[f] * weights[f]);
    }
    featureTable_->setColumns(tr("token"), NumbersTable::Names::Tokens, std::move(names),
                              {feature, position, value, weight, added});
}

/// With the weights to every class.
trace::DataTable ClassifierView::featureData() const {
    QStringList tokens;
    std::vector<double> features, positions;
    for (std::size_t f = 0; f < reading_->positions.size(); ++f) {
        features.push_back(static_cast<double>(f));
        positions.push_back(static_cast<double>(reading_->positions[f]));
        tokens += tokenLabel(run_->source.at(reading_->positions[f])).full();
    }
    trace::DataTable table{.name = "features",
                           .columns = {dataColumn("feature", features), dataColumn("position", positions),
                                       dataColumn("token", tokens), dataColumn("value", reading_->features)}};
    for (std::size_t c = 0; c < reading_->weights.size(); ++c)
        table.columns.push_back(dataColumn(("weight_" + nameOf(c)).toStdString(), reading_->weights[c]));
    return table;
}

} // namespace headscope::widgets
