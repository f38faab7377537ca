#include "widgets/views/positions/score_terms_page.h"

#include "model/trace/copied_matrix.h"
#include "widgets/controls/card_head.h"
#include "widgets/controls/wrapped_label.h"
#include "widgets/drawing/axis_numbers.h"
#include "widgets/drawing/colour_bar.h"
#include "widgets/drawing/shown_number.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"
#include "widgets/drawing/token_label.h"
#include "widgets/map/map_marks.h"
#include "widgets/map/named_labels.h"
#include "widgets/plots/readable_plot.h"
#include "widgets/tables/column_table.h"
#include "widgets/views/positions/head_shares_picture.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/trace_words.h"

#include <QCheckBox>
#include <QCoreApplication>
#include <QEvent>
#include <QFontMetricsF>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::widgets {

namespace {

TokenLabel plainLabel(const QString& text) {
    return {.mark = {}, .text = text, .character = {}};
}

constexpr double scoreTermMapsGap = 10;

QRectF insideOf(const QRect& widget) {
    return QRectF(widget).adjusted(4, 4, -4, -4);
}

using analysis::ScoreOrigin;
using trace::AttentionKind;
using trace::ScorePart;

struct ScoreTermsWords {
    Q_DECLARE_TR_FUNCTIONS(ScoreTermsWords)
};

QString partName(ScorePart part) {
    switch (part) {
    case ScorePart::Word:
        return ScoreTermsWords::tr("word");
    case ScorePart::Position:
        return ScoreTermsWords::tr("position");
    case ScorePart::Content:
        return ScoreTermsWords::tr("content");
    case ScorePart::Bias:
        break;
    }
    return ScoreTermsWords::tr("bias");
}

double largestOpen(const trace::Matrix& values, const trace::MaskMatrix& mask) {
    double largest = 0;
    for (std::size_t i = 0; i < values.values().size(); ++i)
        if (mask.values()[i] && std::isfinite(values.values()[i]))
            largest = std::max(largest, std::abs(static_cast<double>(values.values()[i])));
    return largest;
}

QString termPercent(double share) {
    return shownNumber(QString::number(std::round(100 * share)) + QStringLiteral("\u00A0%"));
}

QString sharesInWords(const trace::ScoreTerms& terms, const analysis::HeadScoreShares& shares) {
    if (shares.rows == 0)
        return ScoreTermsWords::tr("No row of this head has two allowed keys with different scores.");
    QStringList parts;
    for (const auto origin : originsIn(terms))
        parts += ScoreTermsWords::tr("%1 %2").arg(
            originName(origin), termPercent(shares.origins[static_cast<std::size_t>(origin)]));
    return ScoreTermsWords::tr("Share of each part in the variance of a row's scores, Cov(term, score) / "
                               "Var(score), mean over rows (%1): %2.")
        .arg(shares.rows)
        .arg(parts.join(QStringLiteral(", ")));
}

} // namespace

ScoreTermsPage::ScoreTermsPage(Selection* selection, QWidget* parent)
    : QWidget(parent), selection_(selection),
      cardHead_(new CardHead(tr("How heads use positions"), tr("parts of a head's scores"), parent)),
      centred_(new QCheckBox(tr("Rows centred"), cardHead_)), otherHead_(wrappedLabel(this)),
      select_(new QPushButton(tr("Select"), this)), maps_(new ScoreTermMaps(this)),
      sharesPlot_(new ReadablePlot(tr("Shares of the scores' variance"), maps_)),
      more_(new QToolButton(this)), sum_(wrappedLabel(this)), cell_(new ColumnTable(this)),
      heads_(new ColumnTable(this)), numbers_(new QWidget(this)) {
    cardHead_->add(centred_);
    centred_->setToolTip(tr("Subtracts each row's mean over its allowed keys in every map. This does not "
                            "change the softmax, and terms that are equal for all keys of a row become 0."));
    select_->setToolTip(tr("Selects the head of this page in every view"));
    centred_->setObjectName("centred");
    centred_->setAccessibleName(centred_->text());
    select_->setAccessibleName(select_->text());
    cell_->setAccessibleName(tr("Terms of one score"));
    heads_->setAccessibleName(tr("Shares of content and position in each head of the layer"));
    more_->setCheckable(true);
    more_->setAccessibleName(tr("Terms with a bias"));
    more_->setAutoRaise(true);
    auto* row = new QHBoxLayout;
    row->addWidget(otherHead_, 1);
    row->addWidget(select_);
    auto* numbers = new QVBoxLayout(numbers_);
    numbers->setContentsMargins(0, 0, 0, 0);
    numbers->addWidget(sum_);
    numbers->addWidget(cell_, 3); // up to the needed height; the table of heads gets the rest
    numbers->addWidget(heads_, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(space::xs);
    column->addLayout(row);
    column->addWidget(maps_, 1);
    column->addWidget(more_, 0, Qt::AlignRight);
    column->addWidget(numbers_, 1);
    numbers_->hide();
    connect(maps_, &ScoreTermMaps::placed, this, [this] { sharesPlot_->setGeometry(maps_->room()); });
    connect(centred_, &QCheckBox::toggled, this, &ScoreTermsPage::showTerms);
    connect(more_, &QToolButton::toggled, maps_, &ScoreTermMaps::setAllShown);
    connect(select_, &QPushButton::clicked, this, [this] { selection_->setHead(head_); });
    connect(sharesPlot_, &ReadablePlot::markDescribed, this, &ScoreTermsPage::cellDescribed);
    connect(sharesPlot_, &ReadablePlot::markChosen, this, [this](MapCell mark) {
        selection_->setHead({head_.site, mark.row});
    });
    connect(selection_, &Selection::focusChanged, this, &ScoreTermsPage::followSelection);
    connect(selection_, &Selection::stepChanged, this, &ScoreTermsPage::followSelection);
    connect(maps_, &ScoreTermMaps::cellDescribed, this, &ScoreTermsPage::cellDescribed);
    connect(maps_, &ScoreTermMaps::cursorMoved, this, [this](std::optional<MapCell> cell) {
        selection_->setHover(cell ? TokenFocus::cell(kind(), cell->row, cell->column) : TokenFocus());
    });
    connect(maps_, &ScoreTermMaps::cellClicked, this, [this](MapCell cell) {
        selection_->togglePinned(TokenFocus::cell(kind(), cell.row, cell.column));
    });
}

void ScoreTermsPage::setNumbersShown(bool shown) {
    numbers_->setVisible(shown);
    maps_->setVisible(!shown);
    more_->setVisible(!shown && maps_->furtherTerms() > 0);
    showCell();
}

void ScoreTermsPage::setAllTermsShown(bool shown) {
    more_->setChecked(shown);
}

void ScoreTermsPage::setAnswer(const PositionAnswer& answer, const trace::HeadAddress& head) {
    terms_ = answer.scores;
    shares_ = answer.headShares;
    model_ = answer.question.run ? answer.question.run->model : nullptr;
    head_ = head;
    const bool other = selection_->head() != head_;
    otherHead_->setText(other && model_ ? otherHeadInWords() : QString());
    otherHead_->setVisible(other);
    select_->setVisible(other);
    showTerms();
}

QString ScoreTermsPage::otherHeadInWords() const {
    const auto& selected = selection_->head();
    const bool hasSplit = nearestExactHead(*model_, selected.site.kind, selected) == selected;
    return (hasSplit ? tr("%1 is not on the chosen side: showing %2.")
                     : tr("%1 reads tokens that earlier layers have mixed, so its scores cannot be split "
                          "exactly: showing %2."))
        .arg(address(selected), address(head_));
}

bool ScoreTermsPage::isCentred() const {
    return centred_->isChecked();
}

void ScoreTermsPage::setCentred(bool centred) {
    centred_->setChecked(centred);
}

void ScoreTermsPage::setSpaceMarksShown(bool shown) {
    maps_->setSpaceMarksShown(shown);
}

void ScoreTermsPage::showTerms() {
    if (!terms_ || !model_)
        return;
    if (!isLong())
        take(headTerms(*terms_, head_.head, isCentred()));
    else if (isShown())
        maps_->setTerms(terms_, shown_);
    else {
        maps_->setTerms(nullptr, nullptr);
        sayMissing(tr("Preparing the score terms of this long input: %1.").arg(shareInWords(0)));
    }
    showHeads();
    showShares();
    followSelection();
    Q_EMIT captionChanged();
    Q_EMIT questionsChanged();
}

bool ScoreTermsPage::isLong() const {
    return terms_ && terms_->scores.rows() > static_cast<std::size_t>(trace::longestStoredMap);
}

void ScoreTermsPage::take(std::shared_ptr<const HeadTerms> shown) {
    shown_ = std::move(shown);
    shownOf_ = whose();
    maps_->setTerms(terms_, shown_);
    Q_EMIT captionChanged();
}

PreparedTerms::Value PreparedTerms::count(const trace::Task& work) const {
    return headTerms(*terms, head, centred, work);
}

std::optional<PreparedTerms> ScoreTermsPage::preparing() const {
    return isLong() ? std::optional(whose()) : std::nullopt;
}

void ScoreTermsPage::refresh(const trace::KnownAnswers& known) {
    if (!isLong() || isShown())
        return;
    if (const auto made = known.of(whose())) {
        take(*made);
        return followSelection();
    }
    const trace::Wanted question = trace::Counted(whose());
    const auto refusal = known.refusalOf(question);
    sayMissing(refusal ? inWords(refusal)
                       : tr("Preparing the score terms of this long input: %1.")
                             .arg(shareInWords(known.shareOf(question))));
}

void ScoreTermsPage::sayMissing(const QString& words) {
    if (std::exchange(missing_, words) != words)
        maps_->setWhyNothing(words);
}

void ScoreTermsPage::showHeads() {
    TableColumn names{.title = tr("head")};
    double longest = 1; // of all columns, so that they can be compared
    for (std::size_t head = 0; head < shares_.size(); ++head) {
        names.texts += QString::number(head);
        for (const double share : shares_[head].origins)
            longest = std::max(longest, std::abs(share));
    }
    std::vector<TableColumn> columns{names};
    for (const auto origin : originsIn(*terms_)) {
        TableColumn column{
            .title = originName(origin),
            .toolTip = tr("Cov(term, score) / Var(score) over a row's allowed keys, mean over rows; the "
                          "shares of a head add up to 1, and a negative share counteracts the score"),
            .bars = TableColumn::Bars::Under,
            .longest = longest};
        for (const auto& shares : shares_)
            column.numbers.push_back(shares.rows > 0
                                         ? std::optional(shares.origins[static_cast<std::size_t>(origin)])
                                         : std::nullopt);
        columns.push_back(std::move(column));
    }
    heads_->setColumns(std::move(columns), head_.head);
}

std::optional<MapCell> ScoreTermsPage::shownCell() const {
    if (!terms_ || terms_->mask.empty())
        return std::nullopt;
    const auto within = [&](std::optional<trace::TokenIndex> index) {
        return index && *index < terms_->tokens.size() ? index : std::nullopt;
    };
    const auto& focus = selection_->focus();
    const bool decoder = kind() == trace::AttentionKind::DecoderSelf;
    const auto step = decoder ? within(selection_->step()).value_or(0) : trace::TokenIndex();
    const int row = within(focus.query(kind())).value_or(step);
    const std::optional<int> key = within(focus.key(kind()));
    return MapCell{row, key ? *key : highestKey(terms_->scores.head(head_.head), terms_->mask, row)};
}

void ScoreTermsPage::followSelection() {
    if (!terms_)
        return;
    const bool decoder = kind() == trace::AttentionKind::DecoderSelf;
    const auto within = [&](std::optional<trace::TokenIndex> index) {
        return index && *index < terms_->tokens.size() ? index : std::nullopt;
    };
    maps_->setMarks(decoder ? within(selection_->step()) : std::nullopt,
                    within(selection_->focus().query(kind())), within(selection_->focus().key(kind())));
    showCell();
}

/// Width for `columns` columns of numbers without cutting the term names.
int ScoreTermsPage::tableWidth(int columns) const {
    const QFontMetrics metrics(font());
    int name = 0;
    for (const auto& term : terms_->terms)
        name = std::max(name, metrics.horizontalAdvance(termName(term)));
    return name + columns * (metrics.horizontalAdvance(QStringLiteral("\u22120.000894")) + 16) + 24;
}

void ScoreTermsPage::showCell() {
    const auto cell = shownCell();
    for (QWidget* part : std::initializer_list<QWidget*>{sum_, cell_})
        part->setVisible(cell && isShown());
    if (!cell || !isShown())
        return;
    const std::size_t row = cell->row;
    const std::size_t column = cell->column;
    sum_->setText(
        tr("Query %1, key %2: the terms of this score and their shares")
            .arg(quoted(tokenLabel(terms_->tokens, row)), quoted(tokenLabel(terms_->tokens, column))));
    cell_->setAccessibleDescription(sumInWords(*terms_, *shown_, *cell));
    TableColumn names{.title = tr("query–key")};
    TableColumn here{.title = tr("this cell"),
                     .toolTip = tr("These terms add up to the score"),
                     .bars = TableColumn::Bars::Under};
    for (std::size_t term = 0; term < shown_->terms.size(); ++term) {
        names.tokens.push_back(plainLabel(termName(terms_->terms[term])));
        here.numbers.emplace_back(shown_->terms[term](row, column));
    }
    names.tokens.push_back(plainLabel(isCentred() ? tr("score, centred") : tr("score")));
    here.numbers.emplace_back(shown_->scores(row, column));
    const auto& head = shares_.at(head_.head);
    const int last = names.tokens.size() - 1;
    std::vector<TableColumn> columns{std::move(names), std::move(here)};
    if (cell_->width() >= tableWidth(3))
        columns.push_back(
            shareColumn(tr("row"), tr("Share of the term in the variance of this row's scores"),
                        analysis::rowShares(*terms_, head_.head, row).value_or(std::vector<double>())));
    columns.push_back(shareColumn(
        tr("head"), tr("Share of the term in the variance of a row's scores, mean over rows"), head.terms));
    cell_->setColumns(std::move(columns), last);
    cell_->setFixedHeight(cell_->wholeHeight()); // all terms in sight: what is around scrolls
    cell_->scrollToTop();                        // the sum, which stands out, is below
}

/// `shares` of every term; empty: there are none.
TableColumn ScoreTermsPage::shareColumn(const QString& title, const QString& toolTip,
                                        const std::vector<double>& shares) const {
    constexpr double rounding = 1e-6; // of terms in single precision
    TableColumn column{.title = title, .toolTip = toolTip, .bars = TableColumn::Bars::Under};
    for (const double share : shares)
        column.numbers.emplace_back(std::abs(share) < rounding ? 0 : share);
    column.numbers.resize(terms_->terms.size());
    column.numbers.push_back(shares.empty() ? std::nullopt : std::optional(1.0));
    return column;
}

QString ScoreTermsPage::caption() const {
    return terms_ && model_ && isShown()
               ? scoreTermsCaption(*model_, *terms_, head_.head, shares_.at(head_.head), shown_->limit,
                                   isCentred())
               : QString();
}

FigureBlock ScoreTermsPage::block() const {
    return {.size = shaped(plotShape, FigureBlocks::usualWidth),
            .draw = [maps = maps_](QPainter& painter, const QRectF& area,
                                   const Theme& theme) { maps->draw(painter, area, theme); },
            .note = [maps = maps_](const QRectF& area) { return maps->namedInWords(area); }};
}

void ScoreTermsPage::showShares() {
    const int further = maps_->furtherTerms();
    more_->setText(further == 5 ? tr("+ five terms with a bias") : tr("+ %1 terms with a bias").arg(further));
    more_->setVisible(further > 0 && numbers_->isHidden());
    maps_->setTitle(tr("%1: score before the mask, the sum").arg(address(head_)));
    std::vector<HeadSharesPicture::Row> rows;
    for (std::size_t head = 0; head < shares_.size(); ++head)
        rows.push_back({address({head_.site, head}), shares_[head]});
    sharesPlot_->setPicture(
        std::make_shared<HeadSharesPicture>(std::move(rows), originsIn(*terms_), head_.head));
}

void ScoreTermsPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    showCell();
}

ScoreTermMaps::ScoreTermMaps(QWidget* parent) : MapView(tr("Terms of the scores"), nullptr, parent) {
    pictureChanged();
}

void ScoreTermMaps::setWhyNothing(const QString& words) {
    whyNothing_ = words;
    pictureChanged();
}

void ScoreTermMaps::setTerms(std::shared_ptr<const trace::ScoreTerms> terms,
                             std::shared_ptr<const HeadTerms> shown) {
    terms_ = std::move(terms);
    shown_ = std::move(shown);
    labels_ = terms_ ? tokenLabels(terms_->tokens) : std::vector<TokenLabel>();
    pictureChanged();
    const auto isGone = [this](std::optional<MapCell> cell) {
        return cell && (cell->row >= rowCount() || cell->column >= columnCount());
    };
    if (isGone(cursorCell()) || isGone(cellOf(selection_->cursor())))
        selection_->setCursor({});
}

void ScoreTermMaps::setMarks(std::optional<int> stepRow, std::optional<int> litRow,
                             std::optional<int> litColumn) {
    stepRow_ = stepRow;
    litRow_ = litRow;
    litColumn_ = litColumn;
    update();
}

void ScoreTermMaps::setAllShown(bool shown) {
    allShown_ = shown;
    pictureChanged();
}

void ScoreTermMaps::setTitle(const QString& title) {
    title_ = title;
    pictureChanged();
}

bool ScoreTermMaps::isShown(std::size_t term) const {
    return allShown_ || analysis::originOf(terms_->terms[term]) != ScoreOrigin::Bias ||
           !terms_->terms[term].product;
}

int ScoreTermMaps::furtherTerms() const {
    return !terms_ ? 0 : std::ranges::count_if(terms_->terms, [](const auto& term) {
        return term.product && analysis::originOf(term) == ScoreOrigin::Bias;
    });
}

/// For the screen: the sum at the upper right, beside it room for something else, and the terms in a row
/// below. In a narrow area the room is above.
std::vector<ScoreTermMaps::Part> ScoreTermMaps::layOutRow(const QRectF& area) {
    std::vector<Part> parts;
    const QFontMetricsF metrics(font());
    const double line = metrics.height();
    const bool isNarrow = area.width() < 26 * line;
    QRectF rest = area;
    QRectF free;
    if (isNarrow) {
        free = QRectF(area.left(), area.top(), area.width(), area.height() * 0.4);
        rest.setTop(free.bottom() + scoreTermMapsGap);
    }
    if (!terms_ || rowCount() == 0) {
        room_ = QRect();
        return parts;
    }
    std::vector<std::size_t> shown;
    for (std::size_t term = 0; term < shown_->terms.size(); ++term)
        if (isShown(term))
            shown.push_back(term);
    const double sign = 1.2 * line;
    const auto count = static_cast<double>(std::max<std::size_t>(1, shown.size()));
    const double wide = (rest.width() - count * sign) / count;
    const double high = std::min(wide, 0.38 * rest.height() - line - 2) + line + 2;
    const double top = rest.bottom() - high;
    const auto names = titles(wide);
    for (std::size_t at = 0; at < shown.size(); ++at) {
        const double left = rest.left() + sign + static_cast<double>(at) * (wide + sign);
        Part part{.title = QString(names[shown[at]]).replace(QChar(0x2013), QStringLiteral(" \u00D7 ")),
                  .values = &shown_->terms[shown[at]],
                  .pyramid = &shown_->pyramids[shown[at]],
                  .sign = at == 0 ? QStringLiteral("=") : QStringLiteral("+")};
        place(part, QRectF(left, top, wide, high));
        parts.push_back(std::move(part));
    }
    const double middle = isNarrow ? rest.left() : rest.left() + 0.47 * rest.width();
    if (!isNarrow)
        free = QRectF(rest.left(), rest.top(), middle - rest.left() - scoreTermMapsGap,
                      top - scoreTermMapsGap - rest.top());
    room_ = free.toAlignedRect();
    Part sum{.title = title_, .values = &shown_->scores, .pyramid = &shown_->ofScores, .hasScale = true};
    place(sum, QRectF(middle, rest.top(), rest.right() - middle, top - scoreTermMapsGap - rest.top()));
    parts.push_back(std::move(sum));
    return parts;
}

/// For a figure: small maps in a grid at the left, their sum at the right; below each other in a high area.
std::vector<ScoreTermMaps::Part> ScoreTermMaps::layOut(const QRectF& area) const {
    std::vector<Part> parts;
    if (!terms_ || rowCount() == 0)
        return parts;
    const std::size_t count = shown_->terms.size();
    const std::size_t across = count > 3 ? 3 : std::max<std::size_t>(1, count);
    const std::size_t down = (count + across - 1) / across;
    const bool wide = area.width() > area.height() * 1.15;
    const QRectF small = wide ? QRectF(area.left(), area.top(), area.width() * 0.54, area.height())
                              : QRectF(area.left(), area.top(), area.width(), area.height() * 0.55);
    const QRectF rest = wide ? area.adjusted(small.width() + scoreTermMapsGap, 0, 0, 0)
                             : area.adjusted(0, small.height() + scoreTermMapsGap, 0, 0);
    const QSizeF cell(
        (small.width() - scoreTermMapsGap * static_cast<double>(across - 1)) / static_cast<double>(across),
        (small.height() - scoreTermMapsGap * static_cast<double>(down - 1)) / static_cast<double>(down));
    const auto names = titles(cell.width());
    for (std::size_t term = 0; term < count; ++term) {
        const QPointF corner(
            small.left() + static_cast<double>(term % across) * (cell.width() + scoreTermMapsGap),
            small.top() + static_cast<double>(term / across) * (cell.height() + scoreTermMapsGap));
        Part part{.title = names[term], .values = &shown_->terms[term], .pyramid = &shown_->pyramids[term]};
        place(part, QRectF(corner, cell));
        parts.push_back(std::move(part));
    }
    Part sum{.title = tr("their sum: the score"),
             .values = &shown_->scores,
             .pyramid = &shown_->ofScores,
             .labelled = true,
             .hasScale = true};
    place(sum, rest);
    parts.push_back(std::move(sum));
    return parts;
}

/// Titles of the terms: full names if all fit `width`, else short names for all.
std::vector<QString> ScoreTermMaps::titles(double width) const {
    const QFontMetricsF metrics(font());
    std::vector<QString> names;
    for (const auto& term : terms_->terms)
        names.push_back(termName(term));
    if (std::ranges::any_of(names, [&](const auto& name) { return metrics.horizontalAdvance(name) > width; }))
        std::ranges::transform(terms_->terms, names.begin(), shortTermName);
    return names;
}

void ScoreTermMaps::place(Part& part, const QRectF& area) const {
    const QFontMetricsF metrics(font());
    part.area = area;
    const MapPicture shown = picture(part, lightTheme());
    MapLayoutInput input = layoutInput(shown, labelStyle(), area.adjusted(0, metrics.height() + 2, 0, 0));
    if (part.hasScale)
        input.rightMargin = colourBarWidth(shown.scale, font());
    if (!part.labelled)
        input.lineHeight = 0;
    part.layout = MapLayout(input);
}

MapPicture ScoreTermMaps::picture(const Part& part, const Theme& theme) const {
    MapPicture picture{.values = trace::view(*part.values),
                       .mask = &terms_->mask,
                       .pyramid = part.pyramid,
                       .scale = ColourScale::diverging(shown_->limit, theme.dark)};
    if (part.labelled)
        picture.rowLabels = picture.columnLabels = labels_;
    return picture;
}

/// In less room, the parent scrolls.
void ScoreTermMaps::pictureChanged() {
    constexpr int lines = 20, ofNarrow = 32;
    const int line = fontMetrics().height();
    setMinimumSize(200, (width() < 26 * line ? ofNarrow : lines) * line);
    parts_ = layOutRow(insideOf(rect()));
    Q_EMIT placed();
    MapView::pictureChanged();
}

QString ScoreTermMaps::namedInWords(const QRectF& area) const {
    for (const Part& part : layOut(area))
        if (part.labelled)
            return widgets::namedInWords(part.layout);
    return {};
}

void ScoreTermMaps::draw(QPainter& painter, const QRectF& area, const Theme& theme) const {
    drawParts(painter, area, layOut(area), theme);
}

void ScoreTermMaps::paintStill(QPainter& painter, const Theme& theme) const {
    drawParts(painter, insideOf(rect()), parts_, theme);
}

void ScoreTermMaps::drawParts(QPainter& painter, const QRectF& area, const std::vector<Part>& parts,
                              const Theme& theme) const {
    const QFontMetricsF metrics(font());
    painter.setFont(font());
    if (!terms_) {
        painter.setPen(theme.text);
        painter.drawText(area, Qt::AlignCenter | Qt::TextWordWrap, whyNothing_);
    }
    for (const Part& part : parts) {
        painter.setPen(theme.text);
        painter.drawText(QRectF(part.area.left(), part.area.top(), part.area.width(), metrics.height()),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(part.title, Qt::ElideRight, part.area.width()));
        const MapPicture shown = picture(part, theme);
        drawMapCells(painter, shown, part.layout, theme);
        if (!part.sign.isEmpty())
            painter.drawText(QRectF(part.area.left() - 1.2 * metrics.height(), part.layout.plot().top(),
                                    1.2 * metrics.height(), part.layout.plot().height()),
                             Qt::AlignCenter, part.sign);
        if (part.labelled)
            drawMapLabels(painter, shown, part.layout, labelStyle(), theme);
        if (part.hasScale)
            drawColourBar(painter, part.layout.plot(), shown.scale, font(), theme);
    }
}

void ScoreTermMaps::drawMarks(QPainter& painter, const Part& part, const MapMarks& marks,
                              const Theme& theme) const {
    if (part.labelled)
        return drawMapMarks(painter, picture(part, theme), part.layout, marks, labelStyle(), theme);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.focus, 1));
    if (marks.row && part.layout.showsRow(*marks.row))
        painter.drawRect(part.layout.rowRect(*marks.row).adjusted(0, 0, -1, -1));
    if (marks.column && part.layout.showsColumn(*marks.column))
        painter.drawRect(part.layout.columnRect(*marks.column).adjusted(0, 0, -1, -1));
}

void ScoreTermMaps::paintMoving(QPainter& painter, const Theme& theme) const {
    MapMarks marks{.stepRow = stepRow_, .row = litRow_, .column = litColumn_};
    if (const auto cursor = cursorCell()) {
        marks.row = cursor->row;
        marks.column = cursor->column;
    }
    for (const Part& part : parts_)
        drawMarks(painter, part, marks, theme);
}

int ScoreTermMaps::rowCount() const {
    return shown_ ? shown_->scores.rows() : 0;
}

int ScoreTermMaps::columnCount() const {
    return shown_ ? shown_->scores.columns() : 0;
}

QString ScoreTermMaps::rowName(int row) const {
    return quoted(labels_.at(row));
}

QString ScoreTermMaps::columnName(int column) const {
    return quoted(labels_.at(column));
}

QString ScoreTermMaps::cellInWords(MapCell cell) const {
    return widgets::cellInWords(*terms_, *shown_, cell);
}

QRect ScoreTermMaps::cellArea(MapCell cell) const {
    return parts_.empty() ? QRect() : parts_.back().layout.cellRect(cell.row, cell.column).toAlignedRect();
}

std::optional<MapCell> ScoreTermMaps::cellOfAny(QPointF point) const {
    for (const Part& part : parts_)
        if (const auto cell = part.layout.cellAt(point))
            return cell;
    return std::nullopt;
}

TokenFocus ScoreTermMaps::focusAt(QPointF position) const {
    const auto cell = cellOfAny(position);
    return cell ? focusOf(*cell) : TokenFocus();
}

MapView::Words ScoreTermMaps::wordsAt(QPointF position) const {
    const auto cell = cellOfAny(position);
    return cell ? Words{cellInWords(*cell), {}} : Words();
}

std::shared_ptr<const HeadTerms> headTerms(const trace::ScoreTerms& terms, std::size_t head, bool centred,
                                           const trace::Task& work) {
    const auto shown = [&](const trace::HeadStack& stack) {
        return centred ? analysis::centredRows(stack.head(head), terms.mask)
                       : trace::copied(stack.head(head));
    };
    auto made = std::make_shared<HeadTerms>();
    made->scores = shown(terms.scores);
    made->ofScores = MatrixPyramid(trace::view(made->scores), &terms.mask);
    made->limit = largestOpen(made->scores, terms.mask);
    for (const auto& term : terms.terms) {
        work.report(made->terms.size() + 1, terms.terms.size() + 1);
        made->terms.push_back(shown(term.values));
        made->pyramids.emplace_back(trace::view(made->terms.back()), &terms.mask);
        made->limit = std::max(made->limit, largestOpen(made->terms.back(), terms.mask));
    }
    if (made->limit == 0)
        made->limit = 1;
    return made;
}

QString termName(const trace::ScoreTerm& term) {
    if (!term.product)
        return ScoreTermsWords::tr("distance");
    if (*term.product == trace::ScoreTerm::Product{ScorePart::Content, ScorePart::Content})
        return ScoreTermsWords::tr("content");
    return ScoreTermsWords::tr("%1–%2").arg(partName(term.product->query), partName(term.product->key));
}

QString shortTermName(const trace::ScoreTerm& term) {
    return termName(term).replace(partName(ScorePart::Position), ScoreTermsWords::tr("pos."));
}

QString originName(ScoreOrigin origin) {
    switch (origin) {
    case ScoreOrigin::Content:
        return ScoreTermsWords::tr("content");
    case ScoreOrigin::Position:
        return ScoreTermsWords::tr("position");
    case ScoreOrigin::Mixed:
        return ScoreTermsWords::tr("mixed");
    case ScoreOrigin::Bias:
        break;
    }
    return ScoreTermsWords::tr("bias");
}

QString sharesBeyondInWords() {
    return ScoreTermsWords::tr("The shares of a head add up to 100 %: a part that works against the rest has "
                               "a share below 0 %, so others can be above 100 %.");
}

std::vector<ScoreOrigin> originsIn(const trace::ScoreTerms& terms) {
    std::vector<ScoreOrigin> origins;
    for (std::size_t i = 0; i < analysis::scoreOrigins; ++i)
        if (const auto origin = static_cast<ScoreOrigin>(i); std::ranges::any_of(
                terms.terms, [&](const auto& term) { return analysis::originOf(term) == origin; }))
            origins.push_back(origin);
    return origins;
}

QString sumInWords(const trace::ScoreTerms& terms, const HeadTerms& shown, MapCell cell) {
    const std::size_t row = cell.row;
    const std::size_t column = cell.column;
    QString words = numberText(shown.scores(row, column));
    for (std::size_t term = 0; term < shown.terms.size(); ++term) {
        const double value = shown.terms[term](row, column);
        const QString sign = term == 0   ? QStringLiteral(" = ")
                             : value < 0 ? QStringLiteral(" \u2212 ")
                                         : QStringLiteral(" + ");
        words += sign + ScoreTermsWords::tr("%1 (%2)").arg(numberText(term == 0 ? value : std::abs(value)),
                                                           termName(terms.terms[term]));
    }
    return words;
}

QString cellInWords(const trace::ScoreTerms& terms, const HeadTerms& shown, MapCell cell) {
    const auto label = [&](int index) { return quoted(tokenLabel(terms.tokens, index)); };
    const bool open = terms.mask(cell.row, cell.column) != 0;
    return ScoreTermsWords::tr("Query %1, key %2: %3")
        .arg(label(cell.row), label(cell.column),
             open ? sumInWords(terms, shown, cell) : ScoreTermsWords::tr("masked"));
}

QString scoreTermsCaption(const trace::ModelSummary& model, const trace::ScoreTerms& terms, int head,
                          const analysis::HeadScoreShares& shares, double limit, bool centred) {
    const bool byDistance = model.positionKind == trace::PositionKind::DistanceBias;
    const QString how =
        model.positionKind == trace::PositionKind::Disentangled
            ? ScoreTermsWords::tr("%1: each score before the mask as the exact sum of query times key of the "
                                  "contents, query times the key of the distance, and key times the query of "
                                  "the distance (He et al. 2021, equation 4).")
        : byDistance
            ? ScoreTermsWords::tr("%1: each score before the mask as the exact sum of query times key "
                                  "(content) and the distance bias of the head.")
            : ScoreTermsWords::tr(
                  "%1: each score before the mask as the exact sum of nine products, the query's part "
                  "times the key's (Dai et al. 2019, 3.3), with the divisors of norms held fixed.");
    QString words = how.arg(ofModel(model, headTitle(model, {terms.site, head})));
    words += QChar(' ') +
             ScoreTermsWords::tr("One colour scale for the %1 small maps and their sum, up to \u00B1%2.")
                 .arg(terms.terms.size())
                 .arg(axisNumber(limit));
    words += sharedPixelsInWords(Pooling::Extreme, terms.mask.rows(), terms.mask.columns());
    if (centred)
        words +=
            QChar(' ') +
            ScoreTermsWords::tr(
                "Each row is shown minus its mean over its allowed keys, which does not change the softmax.");
    return words + QChar(' ') + sharesInWords(terms, shares);
}

std::optional<trace::HeadAddress> nearestExactHead(const trace::ModelSummary& model, AttentionKind kind,
                                                   const trace::HeadAddress& selected) {
    if (kind == AttentionKind::Cross || model.layers(kind) == 0 || model.heads(kind) == 0)
        return std::nullopt;
    const bool anyLayer = (model.positionKind == trace::PositionKind::DistanceBias ||
                           model.positionKind == trace::PositionKind::Disentangled ||
                           model.positionKind == trace::PositionKind::Rotation) &&
                          selected.site.kind == kind;
    const std::size_t layer =
        anyLayer ? std::min<std::size_t>(selected.site.layer, model.layers(kind) - 1) : 0;
    return trace::HeadAddress{{kind, layer}, std::min<std::size_t>(selected.head, model.heads(kind) - 1)};
}

int highestKey(trace::MatrixView scores, const trace::MaskMatrix& mask, int row) {
    const auto values = scores.row(row);
    const auto open = mask.row(row);
    std::size_t best = 0;
    for (std::size_t key = 0; key < values.size(); ++key)
        if (open[key] && (!open[best] || values[key] > values[best]))
            best = key;
    return static_cast<int>(best);
}

} // namespace headscope::widgets
