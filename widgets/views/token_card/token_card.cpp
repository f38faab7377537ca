#include "widgets/views/token_card/token_card.h"

#include "model/analysis/output/classifier_tokens.h"
#include "widgets/controls/wrapped_label.h"
#include "widgets/drawing/shown_number.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/type_scale.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/tables/column_table.h"
#include "widgets/views/places.h"
#include "widgets/words/captions.h"
#include "widgets/words/card_words.h"
#include "widgets/words/class_title.h"
#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/trace_words.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr int fewFeatures = 5;

QString threeDecimals(double value) {
    const QString size = QString::number(std::abs(value), 'f', 3);
    return size.toDouble() == 0 ? QStringLiteral("0") : shownNumber((value < 0 ? '-' : '+') + size);
}

} // namespace

View* views::makers::token_card(Selection* selection, QWidget* parent) {
    return new TokenCard(selection, parent);
}

TokenCard::TokenCard(Selection* selection, QWidget* parent)
    : View(parent), selection_(selection), title_(new QLabel(this)), number_(new QLabel(this)),
      words_(wrappedLabel(this)), table_(new ColumnTable(this, ColumnTable::NoRoom::Drop)),
      more_(new QPushButton(this)) {
    setAccessibleName(tr("The token"));
    title_->setTextFormat(Qt::PlainText);
    setTextRole(number_, TextRole::Number);
    words_->setForegroundRole(QPalette::PlaceholderText);
    table_->setAccessibleName(tr("Features of the token"));
    table_->setSelectionMode(QAbstractItemView::NoSelection);
    table_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    more_->setFlat(true);
    auto* line = new QHBoxLayout;
    line->addWidget(number_);
    line->addWidget(words_, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space::s, space::xs, space::s, space::xs);
    column->setSpacing(space::s);
    column->addWidget(title_);
    column->addLayout(line);
    column->addWidget(table_);
    column->addWidget(more_, 0, Qt::AlignLeft);
    column->addStretch();
    connect(more_, &QPushButton::clicked, this, [this] {
        isWhole_ = !isWhole_;
        showToken();
    });
    connect(selection, &Selection::focusChanged, this, &TokenCard::refresh);
    showToken();
}

std::vector<trace::Wanted> TokenCard::questions() const {
    const auto question = answerQuestion(*context().document);
    return question ? std::vector<trace::Wanted>{*question} : std::vector<trace::Wanted>();
}

void TokenCard::refresh() {
    answer_ = shownAnswer(context());
    token_.reset();
    features_.clear();
    if (answer_.reading) {
        const auto key = selection_->focus().key(trace::AttentionKind::EncoderSelf);
        const auto& given = answer_.reading->contributions.at(answer_.chosen);
        token_ = key && *key < given.size() ? std::optional<std::size_t>(*key)
                                            : analysis::tellingToken(*answer_.reading, answer_.chosen);
        const auto& weights = answer_.reading->weights.at(answer_.chosen);
        for (std::size_t f = 0; token_ && f < answer_.reading->positions.size(); ++f)
            if (answer_.reading->positions[f] == *token_)
                features_.push_back({.feature = f,
                                     .value = answer_.reading->features[f],
                                     .added = answer_.reading->features[f] * weights[f]});
        std::ranges::stable_sort(features_, std::greater(),
                                 [](const Feature& feature) { return std::abs(feature.added); });
    }
    showToken();
}

double TokenCard::contribution() const {
    return answer_.reading->contributions.at(answer_.chosen).at(*token_);
}

QString TokenCard::name() const {
    return quoted(tokenLabel(context().document->run->source, *token_));
}

QString TokenCard::className() const {
    return classTitle(*context().document->run->model, answer_.chosen);
}

void TokenCard::showToken() {
    for (QWidget* part : std::initializer_list<QWidget*>{number_, table_})
        part->setVisible(token_.has_value());
    const int count = std::ssize(features_);
    more_->setVisible(count > fewFeatures);
    if (!token_) {
        title_->clear();
        words_->setText(context().document->run ? whyEmpty() : QString()); // else other cards say it
        return;
    }
    title_->setText(name());
    number_->setText(shortSignedText(contribution()));
    QStringList lines{
        tr("to %1, from %2").arg(className(), count == 1 ? tr("1 feature") : tr("%1 features").arg(count))};
    const auto words = analysis::wordEffects(*answer_.reading, answer_.chosen);
    const auto word = std::ranges::find_if(
        words, [this](const auto& each) { return each.firstToken <= *token_ && *token_ < each.lastToken; });
    if (word != words.end())
        lines += tr("lost without it: %1").arg(shortSignedText(word->logProbabilityLost));
    words_->setText(lines.join(QChar('\n')));
    more_->setText(isWhole_ ? tr("Fewer") : tr("%1 more").arg(count - fewFeatures));
    std::vector<int> listed;
    for (int row = 0; row < (isWhole_ ? count : std::min(count, fewFeatures)); ++row)
        listed.push_back(row);
    TableContent content{
        .columns =
            {filled({.title = tr("feature"), .toolTip = tr("counted from 0"), .write = wholeText}, features_,
                    [](const Feature& each) { return double(each.feature); }),
             filled(
                 {.title = tr("value \u00d7 weight"),
                  .toolTip =
                      tr("The feature's largest value, which comes from this token, times its weight for %1")
                          .arg(className()),
                  .bars = TableColumn::Bars::Alone},
                 features_, &Feature::added),
             filled({.title = {}, .write = threeDecimals, .sample = QStringLiteral("+0.000")}, features_,
                    &Feature::added)},
        .listed = listed,
        .isOwnOrder = true};
    content.toolTip = [features = features_](int row, int) {
        const Feature& each = features[row];
        return tr("feature %1: value %2, weight %3")
            .arg(QString::number(each.feature), numberText(each.value),
                 numberText(each.value == 0 ? 0 : each.added / each.value));
    };
    table_->setContent(std::move(content));
    table_->setFixedHeight(table_->wholeHeight());
}

QString TokenCard::whyEmpty() const {
    const auto& document = *context().document;
    if (!document.run)
        return hintForNoRun(*this);
    const auto question = answerQuestion(document);
    const QString refused = question ? inWords(context().known->refusalOf(*question)) : QString();
    return refused.isEmpty() ? tr("Computing the contributions...") : refused;
}

void TokenCard::setSpaceMarksShown(bool shown) {
    table_->setSpaceMarksShown(shown);
}

void TokenCard::changeEvent(QEvent* event) {
    View::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        showToken();
}

std::optional<FigureBlocks> TokenCard::figureBlocks() const {
    if (!hasFigure())
        return std::nullopt;
    TableFigure figure = table_->figure();
    figure.rows.clear(); // all features
    figure.caption = figureText().caption;
    figure.font = font();
    return figure.blocks();
}

FigureText TokenCard::figureText() const {
    if (!hasFigure())
        return {};
    const auto& run = *context().document->run;
    return {.title = tr("Token"),
            .caption =
                withModel(*run.model, tr("Contribution of %1 to the logit of %2 (%3), through the pooled "
                                         "features that have their largest value at this token.")
                                          .arg(name(), className(), threeDecimals(contribution()))),
            .provenance = provenance(run),
            .quantity = tr("logit")};
}

trace::FigureData TokenCard::figureData() const {
    if (!hasFigure())
        return {};
    return {
        .tables = {
            {.name = "features",
             .columns = {
                 dataColumn("feature", features_, [](const Feature& each) { return double(each.feature); }),
                 dataColumn("value", features_, [](const Feature& each) { return each.value; }),
                 dataColumn("added", features_, [](const Feature& each) { return each.added; })}}}};
}

std::optional<PictureOptions> TokenCard::picture(PictureOptions options) const {
    return ofView(std::move(options), "token-card");
}

} // namespace headscope::widgets
