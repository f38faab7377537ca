#include "widgets/views/classifier/classifier_view.h"

#include "model/analysis/output/classifier_tokens.h"
#include "widgets/controls/flow_layout.h"
#include "widgets/controls/tall_area.h"
#include "widgets/controls/view_choices.h"
#include "widgets/controls/wrapped_label.h"
#include "widgets/drawing/colour_scale.h"
#include "widgets/drawing/empty_state.h"
#include "widgets/drawing/theme.h"
#include "widgets/drawing/token_label.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/plots/bars_picture.h"
#include "widgets/plots/readable_plot.h"
#include "widgets/tables/column_table.h"
#include "widgets/view_spec.h"
#include "widgets/views/places.h"
#include "widgets/words/captions.h"
#include "widgets/words/class_title.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/trace_words.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QEvent>
#include <QFontMetricsF>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace headscope::widgets {

namespace {

struct GivenTokensPictureWords {
    Q_DECLARE_TR_FUNCTIONS(GivenTokensPicture)
};

constexpr double between = 4;
constexpr double givenTokensBarHeight = 8;

/// Two decimals suffice for comparison; inWords() has more.
QString contributionText(double contribution) {
    const QString size = QString::number(std::abs(contribution), 'f', 2);
    return size.toDouble() == 0 ? QStringLiteral("0")
                                : (contribution < 0 ? QChar(0x2212) : QChar('+')) + size;
}

/// The tokens that a classifier read, in lines. Each is shaded by its contribution to the logit of a class,
/// which is written below it, and has a bar for the number of pooled features it gave. A last line counts the
/// tokens that do not fit.
class GivenTokensPicture : public PlotPicture {
  public:
    /// `labels` and `shares` have one entry per token, in reading order.
    GivenTokensPicture(std::vector<TokenLabel> labels, std::vector<analysis::TokenShare> shares,
                       bool spaceMarks)
        : labels_(std::move(labels)), shares_(std::move(shares)), spaceMarks_(spaceMarks) {
        labels_.resize(std::min(labels_.size(), shares_.size()));
        for (const auto& share : shares_) {
            mostFeatures_ = std::max(mostFeatures_, share.features);
            largest_ = std::max(largest_, std::abs(share.contribution));
        }
    }

    int rows() const override { return labels_.size(); }
    /// Contribution, and features given.
    int columns() const override { return 2; }
    void draw(QPainter& painter, const QRectF& area, const QFont& font, const Theme& theme) const override {
        const TokenLabelStyle style{.font = font, .spaceMarks = spaceMarks_};
        const double line = std::ceil(style.lineHeight());
        const auto scale = ColourScale::diverging(largest_, theme.dark);
        const auto places = flow(area, font);
        const std::size_t shown = fitting(places, area, font);
        if (cutSaid_ && shown < places.size()) {
            painter.setFont(font);
            painter.setPen(theme.faintText);
            painter.drawText(
                area, Qt::AlignLeft | Qt::AlignBottom,
                GivenTokensPictureWords::tr("Not shown in this picture: %n", nullptr, places.size() - shown));
        }
        for (std::size_t token = 0; token < shown; ++token) {
            const QRectF& all = places[token];
            const QRectF chip(all.left(), all.top(), all.width(), 2 * line + 4);
            const QColor ground(scale.colour(shares_[token].contribution));
            const QColor text = readableOn(ground);
            painter.fillRect(chip, ground);
            painter.setPen(theme.line);
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(chip.adjusted(0.5, 0.5, -0.5, -0.5));
            style.draw(painter, QRectF(chip.left() + 6, chip.top() + 2, chip.width() - 12, line),
                       Qt::AlignHCenter, labels_[token], TokenInk::on(ground, text));
            painter.setFont(font);
            painter.setPen(text);
            painter.drawText(QRectF(chip.left(), chip.top() + 2 + line, chip.width(), line), Qt::AlignCenter,
                             contributionText(shares_[token].contribution));
            const double share =
                static_cast<double>(shares_[token].features) / static_cast<double>(mostFeatures_);
            painter.fillRect(
                QRectF(all.left(), chip.bottom() + 2, share * all.width(), givenTokensBarHeight - 2),
                theme.faintText);
            if (lit_ == static_cast<int>(token)) {
                painter.setPen(QPen(theme.focus, 2));
                painter.drawRect(chip);
            }
        }
    }

    QRectF place(MapCell mark, const QRectF& area, const QFont& font) const override {
        const auto places = flow(area, font);
        const std::size_t token = mark.row;
        if (token >= fitting(places, area, font))
            return {};
        const QRectF& all = places[token];
        const double chip = all.height() - givenTokensBarHeight - 2;
        return mark.column == 0 ? QRectF(all.left(), all.top(), all.width(), chip)
                                : QRectF(all.left(), all.top() + chip + 2, all.width(), givenTokensBarHeight);
    }

    std::optional<MapCell> at(QPointF point, const QRectF& area, const QFont& font) const override {
        const auto places = flow(area, font);
        const std::size_t shown = fitting(places, area, font);
        for (std::size_t token = 0; token < shown; ++token)
            if (places[token].contains(point))
                return MapCell{static_cast<int>(token),
                               point.y() < places[token].bottom() - givenTokensBarHeight - 2 ? 0 : 1};
        return std::nullopt;
    }

    QString inWords(MapCell mark) const override {
        const auto& share = shares_[mark.row];
        return GivenTokensPictureWords::tr(
                   "%1 gave %n of the pooled features, with a contribution of %2 to the logit", nullptr,
                   share.features)
            .arg(rowName(mark.row), numberText(share.contribution));
    }

    QString rowName(int row) const override { return quoted(labels_[row]); }
    QString columnName(int column) const override {
        return column == 0 ? GivenTokensPictureWords::tr("contribution to the logit")
                           : GivenTokensPictureWords::tr("features given");
    }

    /// The token highlighted in other views.
    void setLit(std::optional<int> token) { lit_ = token; }
    /// Whether to count the tokens that do not fit; off for a figure without notes.
    void setCutSaid(bool said) { cutSaid_ = said; }
    /// Height needed for all tokens.
    double heightFor(double width, const QFont& font) const {
        const auto places = flow(QRectF(0, 0, width, 1), font);
        return places.empty() ? 0 : places.back().bottom();
    }

  private:
    /// Returns one rectangle per token, for its chip and bar, in lines.
    std::vector<QRectF> flow(const QRectF& area, const QFont& font) const {
        const QFontMetricsF metrics(font);
        const TokenLabelStyle style{.font = font, .spaceMarks = spaceMarks_};
        const double height = 2 * std::ceil(metrics.height()) + givenTokensBarHeight + 6;
        const double least = metrics.horizontalAdvance(QStringLiteral("+0.00"));
        std::vector<QRectF> places;
        QPointF at = area.topLeft();
        for (const auto& label : labels_) {
            const double wide = std::min(std::max(least, style.width(label)) + 12, area.width());
            if (at.x() > area.left() && at.x() + wide > area.right())
                at = {area.left(), at.y() + height + between};
            places.emplace_back(at, QSizeF(wide, height));
            at.rx() += wide + between;
        }
        return places;
    }

    /// Number of tokens that are drawn, from the first.
    /// If not all tokens fit, reserves a line for the number of the others.
    static std::size_t fitting(const std::vector<QRectF>& places, const QRectF& area, const QFont& font) {
        const auto above = [&](double bottom) {
            const auto first = std::ranges::find_if(
                places, [&](const QRectF& place) { return place.bottom() > bottom + 0.5; });
            return first - places.begin();
        };
        const std::size_t all = above(area.bottom());
        return all == places.size() ? all : above(area.bottom() - std::ceil(QFontMetricsF(font).height()));
    }

    std::vector<TokenLabel> labels_;
    std::vector<analysis::TokenShare> shares_;
    bool spaceMarks_;
    bool cutSaid_ = true;
    std::size_t mostFeatures_ = 1;
    double largest_ = 0; ///< largest absolute contribution
    std::optional<int> lit_;
};
constexpr int classifierLeastHeight =
    60; ///< of the pictures, so that a window with large text fits a laptop screen

constexpr int mostClassRows = 8;
constexpr int plotMargins = 8;

struct ClassifierWords {
    Q_DECLARE_TR_FUNCTIONS(Classifier)
};

} // namespace

ClassifierView::ClassifierView(Selection* selection, QWidget* parent)
    : View(parent), selection_(selection), pages_(new QTabBar(this)), classes_(new QComboBox(this)),
      measures_(new QComboBox(this)), sorted_(new QCheckBox(tr("Largest first"), this)),
      importance_(new QPushButton(tr("Heads by Importance"), this)), stack_(new QStackedWidget(this)),
      classPlot_(new ReadablePlot(tr("Probabilities of the classes"), this)),
      tokenPlot_(new ReadablePlot(tr("Contribution of each token"), this)),
      tokenTable_(new ColumnTable(this)), featureTable_(new ColumnTable(this)),
      wordPlot_(new ReadablePlot(tr("Loss of the class without each word"), this)),
      wordTable_(new ColumnTable(this)), reason_(wrappedLabel(this)), caption_(wrappedLabel(this)) {
    setAccessibleName(tr("Classifier"));
    buildControls();
    buildPages();
    connectPlots();
    showPage();
}

void ClassifierView::buildControls() {
    pages_->addTab(tr("Answer"));
    pages_->addTab(tr("Words Left Out"));
    pages_->setAccessibleName(tr("Page of the classifier"));
    pages_->setDrawBase(false);
    classes_->setAccessibleName(tr("Class to explain"));
    classes_->setToolTip(tr("The class whose logit is split and whose probability is shown"));
    measures_->addItems({tr("Log-probability"), tr("Probability")});
    measures_->setObjectName("loss");
    measures_->setAccessibleName(tr("Measure of the loss"));
    sorted_->setToolTip(tr("Sort words by loss instead of reading order"));
    importance_->setToolTip(tr("Ablate each head of the encoder and list what the answer loses"));
    connect(pages_, &QTabBar::currentChanged, this, &ClassifierView::showPage);
    connect(classes_, &QComboBox::currentIndexChanged, this, [this] {
        showPage();
        tellChosenClass();
    });
    connect(measures_, &QComboBox::currentIndexChanged, this, &ClassifierView::showPage);
    connect(sorted_, &QCheckBox::toggled, this, &ClassifierView::showPage);
    connect(importance_, &QPushButton::clicked, this, [this] { Q_EMIT intended(intents::MeasureHeads()); });
}

void ClassifierView::tellChosenClass() {
    const bool classifies = run_ && !run_->classLogProbabilities.empty();
    Q_EMIT intended(intents::ChooseClass{classifies ? std::optional(chosenClass()) : std::nullopt});
}

void ClassifierView::buildPages() {
    tokenTable_->setAccessibleName(tr("Contribution of each token"));
    featureTable_->setAccessibleName(tr("Token behind each feature"));
    wordTable_->setAccessibleName(tr("Loss of the class without each word"));
    auto* answer = new QWidget(this);
    auto* given = new QVBoxLayout(answer);
    given->setContentsMargins(0, 0, 0, 0);
    given->addWidget(classPlot_);
    given->addWidget(tokenPlot_);
    given->addWidget(tokenTable_);
    given->addSpacing(12);
    given->addWidget(featureTable_);
    given->addStretch(1);
    answer_ = new TallArea(answer, this);
    auto* leftOut = new QWidget(this);
    auto* lost = new QVBoxLayout(leftOut);
    lost->setContentsMargins(0, 0, 0, 0);
    lost->addWidget(wordPlot_, 3);
    lost->addWidget(wordTable_, 2);
    stack_->addWidget(answer_);
    stack_->addWidget(leftOut);
    stack_->setMinimumHeight(classifierLeastHeight);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    policy.setRetainSizeWhenHidden(true); // the controls keep their position
    stack_->setSizePolicy(policy);
    auto* row = new FlowLayout;
    for (QWidget* control : std::initializer_list<QWidget*>{classes_, measures_, sorted_, importance_})
        row->addWidget(control);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 8, 12, 12);
    column->addWidget(pages_, 0, Qt::AlignLeft);
    column->addLayout(row);
    column->addWidget(reason_);
    column->addWidget(stack_, 1);
    column->addWidget(caption_);
}

void ClassifierView::connectPlots() {
    for (ReadablePlot* plot : {classPlot_, tokenPlot_, wordPlot_})
        connect(plot, &ReadablePlot::markDescribed, this, &ClassifierView::cellDescribed);
    const auto tokenOf = [](std::optional<MapCell> mark) {
        return mark ? std::optional<std::size_t>(mark->row) : std::nullopt;
    };
    const auto firstTokenOf = [this](std::optional<int> word) {
        const bool exists = word && *word >= 0 && *word < std::ssize(words_);
        return exists ? std::optional(words_[*word].firstToken) : std::nullopt;
    };
    const auto pin = [this](std::size_t token) {
        selection_->togglePinned(
            TokenFocus::cell(trace::AttentionKind::EncoderSelf, std::nullopt, static_cast<int>(token)));
    };
    connect(classPlot_, &ReadablePlot::markChosen, this, [this](MapCell mark) { setChosenClass(mark.row); });
    connect(tokenPlot_, &ReadablePlot::cursorMoved, this, [this, tokenOf](std::optional<MapCell> mark) {
        light(tokenOf(mark));
        if (mark && tokenPlot_->hasFocus())
            scrollTo(tokenPlot_, tokenPlot_->cellArea(*mark));
    });
    connect(tokenPlot_, &ReadablePlot::markChosen, this, [pin](MapCell mark) { pin(mark.row); });
    connect(wordPlot_, &ReadablePlot::cursorMoved, this, [this, firstTokenOf](std::optional<MapCell> mark) {
        light(firstTokenOf(mark ? std::optional(mark->row) : std::nullopt));
    });
    connect(wordPlot_, &ReadablePlot::markChosen, this, [pin, firstTokenOf](MapCell mark) {
        if (const auto token = firstTokenOf(mark.row))
            pin(*token);
    });
    // Walking through a table lights its tokens, Enter or a double click pins one.
    for (ColumnTable* table : {tokenTable_, featureTable_, wordTable_}) {
        const auto tokenAt = [this, table,
                              firstTokenOf](const QModelIndex& at) -> std::optional<std::size_t> {
            if (table == wordTable_)
                return firstTokenOf(at.row());
            if (!at.isValid() || !reading_)
                return std::nullopt;
            const std::size_t row = at.row();
            return table == tokenTable_ ? row : reading_->positions.at(row);
        };
        connect(table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
                [this, table, tokenAt](const QModelIndex& at) {
                    if (!table->hasFocus()) // the table was filled, not used
                        return;
                    light(tokenAt(at));
                    scrollTo(table->viewport(), table->visualRect(at));
                });
        connect(table, &QAbstractItemView::activated, this, [pin, tokenAt](const QModelIndex& at) {
            if (const auto token = tokenAt(at))
                pin(*token);
        });
    }
    connect(selection_, &Selection::focusChanged, this, &ClassifierView::lightToken);
}

/// Only the answer page scrolls.
void ClassifierView::scrollTo(const QWidget* inside, const QRect& place) {
    if (!answer_->widget()->isAncestorOf(inside))
        return;
    const QPoint centre = inside->mapTo(answer_->widget(), place.center());
    answer_->ensureVisible(centre.x(), centre.y(), 0, place.height());
}

/// A key of encoder self-attention, which the maps of its heads highlight.
void ClassifierView::light(std::optional<std::size_t> token) {
    selection_->setHover(
        token ? TokenFocus::cell(trace::AttentionKind::EncoderSelf, std::nullopt, static_cast<int>(*token))
              : TokenFocus());
}

void ClassifierView::setRun(std::shared_ptr<const trace::Run> run) {
    if (run != run_) {
        reading_.reset();
        words_.clear();
        whyNot_.clear();
    }
    const bool otherSentence =
        !run || !run_ || run->model != run_->model || run->request.source != run_->request.source;
    run_ = std::move(run);
    if (otherSentence)
        fillClasses();
    showPage();
    if (otherSentence)
        tellChosenClass();
}

void ClassifierView::fillClasses() {
    const QSignalBlocker quiet(classes_);
    classes_->clear();
    const std::size_t count = run_ ? run_->classLogProbabilities.size() : 0;
    for (std::size_t chosen = 0; chosen < count; ++chosen)
        classes_->addItem(classTitle(*run_->model, chosen));
    if (count > 0)
        classes_->setCurrentIndex(analysis::likeliestClass(
            {run_->classLogProbabilities.begin(), run_->classLogProbabilities.end()}));
}

ClassifierView::Page ClassifierView::page() const {
    return static_cast<Page>(pages_->currentIndex());
}

std::size_t ClassifierView::chosenClass() const {
    return static_cast<std::size_t>(std::max(0, classes_->currentIndex()));
}

bool ClassifierView::isSorted() const {
    return sorted_->isChecked();
}

bool ClassifierView::showsProbabilities() const {
    return measures_->currentIndex() == 1;
}

void ClassifierView::setPage(Page page) {
    pages_->setCurrentIndex(page);
}

void ClassifierView::setChosenClass(std::size_t chosen) {
    classes_->setCurrentIndex(chosen);
}

void ClassifierView::setSorted(bool sorted) {
    sorted_->setChecked(sorted);
}

void ClassifierView::setSpaceMarksShown(bool shown) {
    spaceMarks_ = shown;
    for (ColumnTable* table : {tokenTable_, featureTable_, wordTable_})
        table->setSpaceMarksShown(shown);
    showPage();
}

trace::FigureData ClassifierView::figureData() const {
    if (!hasFigure())
        return {};
    trace::FigureData data;
    if (page() == Page::Words) {
        const auto text = [this](const analysis::WordEffect& word) {
            QString text;
            for (std::size_t token = word.firstToken; token < word.lastToken; ++token)
                text += tokenLabel(run_->source.at(token)).full();
            return text;
        };
        data.tables.push_back(
            {.name = "words",
             .columns = {
                 dataColumn("word", words_, text),
                 dataColumn("log_probability_lost", words_, &analysis::WordEffect::logProbabilityLost),
                 dataColumn("probability_lost", words_, &analysis::WordEffect::probabilityLost)}});
        return data;
    }
    QStringList names;
    for (std::size_t i = 0; i < reading_->logits.size(); ++i)
        names += classTitle(*run_->model, i);
    data.tables.push_back({.name = "classes",
                           .columns = {dataColumn("class", names), dataColumn("logit", reading_->logits),
                                       dataColumn("log_probability", reading_->logProbabilities),
                                       dataColumn("bias", reading_->bias)}});
    trace::DataArray contributions{.name = "contributions",
                                   .axes = {{.name = "class"}, dataAxis("token", tokenLabels(run_->source))},
                                   .shape = {reading_->contributions.size(), run_->source.size()}};
    for (const auto& row : reading_->contributions)
        contributions.values.insert(contributions.values.end(), row.begin(), row.end());
    for (const QString& name : names)
        contributions.axes[0].labels.push_back(name.toStdString());
    data.arrays.push_back(std::move(contributions));
    data.tables.push_back(shown().featureData());
    return data;
}

std::vector<trace::Wanted> ClassifierView::questions() const {
    if (!run_ || !run_->complete || run_->classLogProbabilities.empty())
        return {};
    return {trace::Question{.request = run_->request, .what = trace::ClassifierWhat()}};
}

void ClassifierView::refresh() {
    const auto asked = questions();
    if (asked.empty())
        return;
    auto reading = context().known->of(run_->request, trace::ClassifierWhat());
    const QString whyNot = inWords(context().known->refusalOf(asked.front()));
    if ((!reading && whyNot.isEmpty()) || (reading == reading_ && whyNot == whyNot_))
        return;
    reading_ = std::move(reading);
    whyNot_ = whyNot;
    showPage();
}

void ClassifierView::showPage() {
    const bool any = hasFigure();
    const bool words = page() == Page::Words;
    measures_->setVisible(words);
    sorted_->setVisible(words);
    for (QWidget* control : std::initializer_list<QWidget*>{classes_, measures_, sorted_, importance_})
        control->setEnabled(any);
    stack_->setCurrentIndex(pages_->currentIndex());
    stack_->setVisible(any);
    if (any && words)
        showWords();
    else if (any)
        showAnswer();
    reason_->setVisible(any && !reading_->leftOut.empty());
    reason_->setText(any ? shown().reason() : QString());
    caption_->setVisible(any);
    caption_->setText(pageCaption());
    update();
    Q_EMIT questionsChanged();
}

void ClassifierView::showAnswer() {
    showClasses();
    showTokens();
}

void ClassifierView::showClasses() {
    std::vector<Bar> bars;
    for (std::size_t i = 0; i < reading_->logits.size(); ++i) {
        const double probability = std::exp(reading_->logProbabilities[i]);
        const QString number =
            tr("%1, logit %2").arg(preciseText(probability), numberText(reading_->logits[i]));
        bars.push_back({.name = {.text = classTitle(*run_->model, i)},
                        .value = probability,
                        .number = number,
                        .words = tr("%1: probability %2").arg(classTitle(*run_->model, i), number)});
    }
    auto picture = std::make_shared<BarsPicture>(std::move(bars), 1, false, QStringList(tr("probability")));
    picture->setLit(chosenClass());
    classPlot_->setPicture(std::move(picture));
    fitAnswer();
}

/// A few classes take the room they need; many classes scroll in a limited height. Tokens and tables have
/// their full height, and the page scrolls.
void ClassifierView::fitAnswer() {
    if (classPlot_->picture())
        classPlot_->setFixedHeight(std::min(classPlot_->picture()->rows(), mostClassRows) *
                                       BarsPicture::comfortableRow(font()) +
                                   plotMargins);
    if (const auto* tokens = dynamic_cast<const GivenTokensPicture*>(tokenPlot_->picture().get())) {
        // Reserves room for the scroll bar even if it is hidden: whether it is shown depends on this height.
        const int width = answer_->width() - answer_->verticalScrollBar()->sizeHint().width() - plotMargins;
        tokenPlot_->setFixedHeight(
            static_cast<int>(std::ceil(tokens->heightFor(width, font()) + plotMargins)));
    }
    for (ColumnTable* table : {tokenTable_, featureTable_})
        table->setFixedHeight(table->wholeHeight());
}

void ClassifierView::lightToken() {
    const auto* shown = dynamic_cast<const GivenTokensPicture*>(tokenPlot_->picture().get());
    if (page() != Page::Answer || !hasFigure() || !shown)
        return;
    auto picture = std::make_shared<GivenTokensPicture>(*shown);
    picture->setLit(litToken());
    tokenPlot_->setPicture(std::move(picture));
}

void ClassifierView::showTokens() {
    auto labels = tokenLabels(run_->source);
    const auto shares = analysis::tokenShares(*reading_, chosenClass());
    tokenPlot_->setPicture(std::make_shared<GivenTokensPicture>(labels, shares, spaceMarks_));
    lightToken();
    labels.resize(shares.size());
    tokenTable_->setColumns({{.title = tr("token"), .tokens = std::move(labels)},
                             filled({.title = tr("features"),
                                     .toolTip = tr("with the largest value from this token"),
                                     .write = wholeText},
                                    shares, &analysis::TokenShare::features),
                             filled({.title = tr("logit"),
                                     .toolTip = tr("Contribution to the logit of %1").arg(shown().name()),
                                     .bars = TableColumn::Bars::Under},
                                    shares, &analysis::TokenShare::contribution)});
    showFeatures();
    fitAnswer();
}

void ClassifierView::showWords() {
    words_ = analysis::wordEffects(*reading_, chosenClass());
    const auto lost = [this](const analysis::WordEffect& word) {
        return showsProbabilities() ? word.probabilityLost : word.logProbabilityLost;
    };
    if (isSorted())
        std::ranges::stable_sort(words_, std::ranges::greater(), lost);
    std::vector<Bar> bars;
    double largest = 0;
    for (const auto& word : words_) {
        const TokenLabel name = shown().wordName(word);
        largest = std::max(largest, std::abs(lost(word)));
        bars.push_back({.name = name,
                        .value = lost(word),
                        .number = numberText(lost(word)),
                        .words = tr("Without %1: %2 has probability %3; log-probability lost %4")
                                     .arg(quoted(name), shown().name(), numberText(word.probabilityWithout),
                                          numberText(word.logProbabilityLost))});
    }
    auto picture = std::make_shared<BarsPicture>(
        std::move(bars), largest, true,
        QStringList(showsProbabilities() ? tr("probability lost") : tr("log-probability lost")));
    picture->setSpaceMarks(spaceMarks_);
    wordPlot_->setPicture(std::move(picture));
    using Word = analysis::WordEffect;
    wordTable_->setColumns(
        {filled({.title = tr("word")}, words_, [this](const Word& word) { return shown().wordName(word); }),
         filled({.title = tr("log-probability lost"),
                 .toolTip = tr("log-probability of the class with all words, less that without this one"),
                 .bars = TableColumn::Bars::Under},
                words_, &Word::logProbabilityLost),
         filled({.title = tr("p lost"), .toolTip = tr("probability lost"), .bars = TableColumn::Bars::Under},
                words_, &Word::probabilityLost),
         filled({.title = tr("probability without"),
                 .toolTip = tr("probability of the class without this word")},
                words_, &Word::probabilityWithout)});
}

void ClassifierView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitAnswer();
}

void ClassifierView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fitAnswer();
}

void ClassifierView::showEvent(QShowEvent* event) {
    View::showEvent(event);
    fitAnswer();
}

bool ClassifierView::hasFigure() const {
    const bool read =
        run_ && reading_ && !reading_->logits.empty() && chosenClass() < reading_->contributions.size();
    return read && (page() == Page::Answer || !reading_->leftOut.empty());
}

QString ClassifierView::whyNothing() const {
    if (!run_)
        return tr(
            "Open a model that classifies sentences, such as an encoder with a pooled layer of classes; "
            "then type a sentence and press Enter.");
    if (run_->classLogProbabilities.empty())
        return tr(
            "This model translates: it has no classes. Open one that classifies, such as an encoder with "
            "a pooled layer of classes (Ctrl+O).");
    if (!whyNot_.isEmpty())
        return whyNot_;
    if (!reading_)
        return tr("Computing the contributions...");
    if (trace::namesPlaces(run_->request.interventions))
        return tr("A change refers to a cell or row by position, and positions shift when a word is left "
                  "out: switch the change off in What if.");
    return tr("No word can be left out: type a sentence of two words or more.");
}

QString ClassifierView::pageCaption() const {
    if (!hasFigure())
        return whyNothing();
    return withModel(*run_->model, page() == Page::Answer
                                       ? shown().answerCaption()
                                       : shown().wordsCaption(showsProbabilities(), isSorted()));
}

QString ClassifierView::caption() const {
    return hasFigure() ? (pageCaption() + QChar(' ') + shown().whereTheyDiffer()).trimmed() : whyNothing();
}

void ClassifierView::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.background);
    if (hasFigure())
        return;
    const QString what = page() == Page::Answer
                             ? tr("Shows the class probabilities and the contribution of each token.")
                             : tr("Shows how much a class loses without each word.");
    drawEmptyState(painter, QRectF(rect()).adjusted(0, 80, 0, 0), what, caption(), theme);
}

std::optional<FigureBlocks> ClassifierView::figureBlocks() const {
    if (!hasFigure())
        return std::nullopt;
    const auto bars = [this](const ReadablePlot* plot) {
        const double height = plot->picture()->rows() * BarsPicture::comfortableRow(font());
        auto block = plotBlock(plot->picture(), font(), [=](double width) { return QSizeF(width, height); });
        block.grows = false;
        return block;
    };
    FigureBlocks blocks{.caption = caption(), .font = font(), .width = 876};
    if (page() == Page::Words) {
        blocks.picture = bars(wordPlot_);
        return blocks;
    }
    const auto* shown = dynamic_cast<const GivenTokensPicture*>(tokenPlot_->picture().get());
    auto tokens = std::make_shared<GivenTokensPicture>(*shown); // without the mark of the pointer
    tokens->setLit(figureParts().marks ? selection_->pinned().key(trace::AttentionKind::EncoderSelf)
                                       : std::nullopt);
    tokens->setCutSaid(figureParts().notes);
    auto given = plotBlock(tokens, font(), [tokens, font = font()](double width) {
        return QSizeF(width, tokens->heightFor(width, font));
    });
    given.grows = false;
    blocks.picture = stacked({bars(classPlot_), given});
    return blocks;
}

FigureText ClassifierView::figureText() const {
    return {.title = tr("Classifier"),
            .caption = caption(),
            .provenance = run_ ? provenance(*run_) : QString(),
            .quantity = page() == Page::Words ? tr("probability lost") : tr("logit")};
}

void ClassifierView::showFeatures() {
    const auto tokens = tokenLabels(run_->source);
    const auto& weights = reading_->weights.at(chosenClass());
    const QString chosen = shown().name();
    std::vector<TokenLabel> names;
    TableColumn feature{.title = tr("feature"), .toolTip = tr("counted from 0"), .write = wholeText};
    TableColumn position{.title = tr("position"), .toolTip = tr("of the token"), .write = wholeText};
    TableColumn value{.title = tr("value"), .toolTip = tr("the feature's largest value, from this token")};
    TableColumn weight{.title = tr("weight"), .toolTip = tr("of the feature for %1").arg(chosen)};
    TableColumn added{.title = tr("logit"),
                      .toolTip = tr("Contribution to the logit of %1: value times weight").arg(chosen),
                      .bars = TableColumn::Bars::Under};
    for (std::size_t f = 0; f < reading_->positions.size(); ++f) {
        names.push_back(tokens.at(reading_->positions[f]));
        feature.numbers.emplace_back(static_cast<double>(f));
        position.numbers.emplace_back(static_cast<double>(reading_->positions[f]));
        value.numbers.emplace_back(reading_->features.at(f));
        weight.numbers.emplace_back(weights.at(f));
        added.numbers.emplace_back(reading_->features[f] * weights[f]);
    }
    featureTable_->setColumns(
        {{.title = tr("token"), .tokens = std::move(names)}, feature, position, value, weight, added});
}

std::optional<PictureOptions> ClassifierView::picture(PictureOptions options) const {
    return ofView(std::move(options), "classifier", pageName("classifier", page()));
}

void ClassifierView::addChoices(ViewChoices& choices) {
    choices.addPage("classifier", this);
    choices.addWhole(
        "classifier", "class", [this] { return static_cast<int>(chosenClass()); },
        [this](int chosen) { setChosenClass(chosen); });
    choices.addFlag(
        "classifier", "sorted", [this] { return isSorted(); }, [this](bool sorted) { setSorted(sorted); });
    choices.add("classifier", "loss", control<QComboBox>(this, "loss"));
}

View* views::makers::classifier(Selection* selection, QWidget* parent) {
    return new ClassifierView(selection, parent);
}

QString ReadClass::name() const {
    return classTitle(*run.model, chosen);
}

TokenLabel ReadClass::wordName(const analysis::WordEffect& word) const {
    TokenLabel name = tokenLabel(run.source.at(word.firstToken));
    for (std::size_t token = word.firstToken + 1; token < word.lastToken; ++token)
        name.text += tokenLabel(run.source.at(token)).text;
    return name;
}

QString ReadClass::answerCaption() const {
    const auto& given = reading.contributions[chosen];
    const double tokens = std::accumulate(given.begin(), given.end(), 0.0);
    QString words =
        ClassifierWords::tr(
            "Above: the probability of each class. Below: the contribution of each token to the "
            "logit of %2 (shade and number), and how many of the %1 pooled features it gave (bar). "
            "Tokens %3 + bias %4 = logit %5.")
            .arg(reading.positions.size())
            .arg(name(), numberText(tokens), numberText(reading.bias[chosen]),
                 numberText(tokens + reading.bias[chosen]));
    const auto padding = std::ranges::count_if(reading.positions, [this](std::size_t position) {
        return position < run.source.size() && run.source[position].role == trace::TokenRole::Padding;
    });
    if (padding > 0)
        words += QChar(' ') + ClassifierWords::tr("%n features came from padding.", nullptr, padding);
    return words;
}

QString ReadClass::wordsCaption(bool showsProbabilities, bool isSorted) const {
    return ClassifierWords::tr(
               "Loss in the %1 of %2 (now %3) when the sentence is read again without a word; later words "
               "move up. Bars to the right: the word supported the class. %4.")
        .arg(showsProbabilities ? ClassifierWords::tr("probability") : ClassifierWords::tr("log-probability"),
             name(),
             numberText(showsProbabilities ? std::exp(reading.logProbabilities[chosen])
                                           : reading.logProbabilities[chosen]),
             isSorted ? ClassifierWords::tr("Largest first") : ClassifierWords::tr("In reading order"));
}

/// How the two pages disagree; empty if both put the same word first.
QString ReadClass::whereTheyDiffer() const {
    const auto apart = analysis::wordsApart(reading, chosen);
    if (!apart)
        return {};
    const auto words = analysis::wordEffects(reading, chosen);
    const QString added = quoted(wordName(words[apart->added])),
                  contribution = numberText(apart->contribution);
    if (!apart->lost)
        return ClassifierWords::
            tr("%1 contributes most to the logit of %2 (%3), but no word makes %2 less probable when left "
               "out: contributions split one reading of the sentence; leaving a word out is another "
               "reading.")
                .arg(added, name(), contribution);
    return ClassifierWords::tr(
               "%1 contributes most to the logit of %2 (%3), but leaving out %4 lowers its log-probability "
               "most (by %5): contributions split one reading of the sentence; leaving a word out is another "
               "reading.")
        .arg(added, name(), contribution, quoted(wordName(words[*apart->lost])),
             numberText(words[*apart->lost].logProbabilityLost));
}

QString ReadClass::reason() const {
    const auto words = analysis::wordEffects(reading, chosen);
    const auto most = std::ranges::max_element(words, {}, &analysis::WordEffect::logProbabilityLost);
    if (most == words.end() || most->logProbabilityLost <= 0)
        return ClassifierWords::tr("No single word matters: without any of them %1 stays as probable.")
            .arg(name());
    QString text =
        ClassifierWords::tr("Without %1, %2 falls most: from %3 to %4.")
            .arg(quoted(wordName(*most)), name(), shareInWords(std::exp(reading.logProbabilities[chosen])),
                 shareInWords(most->probabilityWithout));
    if (const auto apart = analysis::wordsApart(reading, chosen))
        text += QChar(' ') + ClassifierWords::tr("%1 contributes most to its logit (%2).")
                                 .arg(quoted(wordName(words[apart->added])), numberText(apart->contribution));
    return text;
}

/// Includes the weights to every class.
trace::DataTable ReadClass::featureData() const {
    QStringList tokens;
    std::vector<double> features, positions;
    for (std::size_t f = 0; f < reading.positions.size(); ++f) {
        features.push_back(static_cast<double>(f));
        positions.push_back(static_cast<double>(reading.positions[f]));
        tokens += tokenLabel(run.source.at(reading.positions[f])).full();
    }
    trace::DataTable table{.name = "features",
                           .columns = {dataColumn("feature", features), dataColumn("position", positions),
                                       dataColumn("token", tokens), dataColumn("value", reading.features)}};
    for (std::size_t c = 0; c < reading.weights.size(); ++c)
        table.columns.push_back(
            dataColumn(("weight_" + classTitle(*run.model, c)).toStdString(), reading.weights[c]));
    return table;
}

} // namespace headscope::widgets
