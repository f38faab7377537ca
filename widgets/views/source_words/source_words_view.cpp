#include "widgets/views/source_words/source_words_view.h"

#include "model/analysis/rank_correlation.h"
#include "widgets/controls/card_head.h"
#include "widgets/controls/wrapped_label.h"
#include "widgets/drawing/spacing.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/tables/column_table.h"
#include "widgets/tables/own_row.h"
#include "widgets/views/places.h"
#include "widgets/words/captions.h"
#include "widgets/words/card_words.h"
#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/importance_words.h"
#include "widgets/words/trace_words.h"

#include <QLabel>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::widgets {

namespace {

/// Tokens of one question: what is more urgent waits no longer for it.
constexpr std::size_t wordsAtATime = 16;

std::vector<std::optional<double>> known(const std::vector<double>& values, std::size_t count) {
    std::vector<std::optional<double>> all(count);
    for (std::size_t i = 0; i < std::min(count, values.size()); ++i)
        if (std::isfinite(values[i]))
            all[i] = values[i];
    return all;
}

} // namespace

View* views::makers::source_words(Selection* selection, QWidget* parent) {
    return new SourceWordsView(selection, parent);
}

bool SourceWordsView::Content::isDecoderAlone() const {
    return run && run->model && run->model->isDecoderAlone();
}

std::vector<trace::Token> SourceWordsView::Content::tokens() const {
    if (!of)
        return {};
    if (!isDecoderAlone())
        return run->source;
    const auto read = std::min(of->step + 1, run->target.size());
    return {run->target.begin(), run->target.begin() + static_cast<std::ptrdiff_t>(read)};
}

std::optional<double> SourceWordsView::Content::correlation() const {
    std::vector<double> lost, read;
    const auto& beside = isClassifier() ? contributions : shares;
    for (std::size_t i = 0; i < std::min(losses.size(), beside.size()); ++i)
        if (std::isfinite(losses[i]) && std::isfinite(beside[i])) {
            lost.push_back(isClassifier() ? losses[i] : std::abs(losses[i]));
            read.push_back(beside[i]);
        }
    return isComplete ? analysis::rankCorrelation(lost, read) : std::nullopt;
}

SourceWordsView::SourceWordsView(Selection* selection, QWidget* parent)
    : View(parent), selection_(selection),
      head_(new CardHead(tr("Source words"), tr("knock-out loss, ALTI+"), this)), agreement_(newPill(this)),
      pages_(new QStackedWidget(this)), table_(new ColumnTable(this, ColumnTable::NoRoom::Drop)),
      hint_(wrappedLabel(this)) {
    setAccessibleName(tr("Source words"));
    setFocusProxy(table_);
    head_->add(agreement_);
    hint_->setAlignment(Qt::AlignCenter);
    table_->setAccessibleName(tr("Loss at this step without each token"));
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setProperty(ownRowProperty, true);
    table_->setSortable(0, Qt::AscendingOrder);
    table_->setFitted(true);
    pages_->addWidget(table_);
    pages_->addWidget(hint_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space::m, space::s, space::m, space::s);
    column->setSpacing(space::xs);
    column->addWidget(head_);
    column->addWidget(pages_, 1);
    connect(table_, &QTableView::clicked, this, [this] {
        if (const auto row = table_->currentRow())
            pin(*row);
    });
    connect(table_, &ColumnTable::rowEntered, this, &SourceWordsView::pin);
    connect(selection, &Selection::stepChanged, this, [this] {
        refresh();
        Q_EMIT questionsChanged();
    });
    connect(selection, &Selection::focusChanged, this, &SourceWordsView::mark);
}

QWidget* SourceWordsView::takesKeys() const {
    return table_;
}

trace::Request SourceWordsView::asked(trace::Request request, Of whom) const {
    return whom == Of::Twin ? toTwin(*context().document, std::move(request)) : request;
}

std::vector<trace::Question> SourceWordsView::lossQuestions(const Explained& of, Of whom) const {
    auto request = of.request;
    request.paths = {request.paths.back()};
    request = asked(std::move(request), whom);
    const auto& run = *context().document->run;
    const std::size_t keys =
        run.model->isDecoderAlone() ? std::min(of.step + 1, run.target.size()) : run.source.size();
    std::vector<trace::Question> questions;
    for (std::size_t first = 0; first < std::max<std::size_t>(1, keys); first += wordsAtATime)
        questions.push_back({.request = request,
                             .what = trace::CausalRowWhat{.step = of.step,
                                                          .head = std::nullopt,
                                                          .keys = {first, first + wordsAtATime}}});
    return questions;
}

/// The share does not depend on what the token is compared with.
trace::Question SourceWordsView::shareQuestion(const Explained& of, Of whom) const {
    auto request = of.request;
    request.ratherThan = context().document->request->ratherThan;
    const auto& model = *context().document->run->model;
    const auto kind =
        model.isDecoderAlone() ? trace::AttentionKind::DecoderSelf : trace::AttentionKind::Cross;
    return {.request = asked(std::move(request), whom),
            .what = trace::MapsWhat{.quantity = trace::MapQuantity::Contribution,
                                    .site = {kind, model.decoderLayers - 1}}};
}

std::optional<trace::Question> SourceWordsView::answerQuestion(Of whom) const {
    auto question = widgets::answerQuestion(*context().document);
    if (question)
        question->request = asked(std::move(question->request), whom);
    return question;
}

std::vector<trace::Wanted> SourceWordsView::questions() const {
    const auto& document = *context().document;
    const auto of = explained(document, selection_->step());
    std::vector<trace::Wanted> wanted;
    for (const Of whom : {Of::Model, Of::Twin}) {
        if (!of || (whom == Of::Twin && !isBesideTwin(document, *of)))
            break;
        if (auto answer = answerQuestion(whom)) {
            wanted.emplace_back(*std::move(answer));
        } else if (document.run->model->decoderLayers > 0) {
            wanted.emplace_back(shareQuestion(*of, whom));
            for (auto& question : lossQuestions(*of, whom))
                wanted.emplace_back(std::move(question));
        }
    }
    return wanted;
}

void SourceWordsView::refresh() {
    shown_ = contentOf(Of::Model);
    baseline_ = baseline();
    showRows();
}

SourceWordsView::Content SourceWordsView::contentOf(Of whom) const {
    const auto& document = *context().document;
    Content found{.run = document.run, .of = explained(document, selection_->step())};
    if (!found.isClassifier() && document.run && document.run->model &&
        document.run->model->decoderLayers == 0)
        found.of.reset();
    if (found.of && found.isClassifier()) {
        findAnswer(found, whom);
    } else if (found.of) {
        findLosses(found, whom);
        findShares(found, whom);
    }
    return found;
}

SourceWordsView::Content SourceWordsView::baseline() const {
    const auto& document = *context().document;
    if (!shown_.of)
        return {};
    if (isBesideTwin(document, *shown_.of))
        return contentOf(Of::Twin);
    Content even{.run = shown_.run, .of = shown_.of};
    if (baselineOf(document) != Baseline::Uniform || shown_.shares.empty())
        return even;
    const std::size_t fed = shown_.isDecoderAlone() ? 0 : shown_.of->step + 1; // which have a row together
    const double share = 1 / static_cast<double>(shown_.shares.size() + fed);
    even.shares.assign(shown_.shares.size(), share);
    even.otherShare = share * static_cast<double>(fed);
    return even;
}

void SourceWordsView::findLosses(Content& found, Of whom) const {
    found.losses.assign(found.tokens().size(), noNumber);
    found.isComplete = true;
    for (const auto& question : lossQuestions(*found.of, whom)) {
        const auto& what = std::get<trace::CausalRowWhat>(question.what);
        if (found.whyNot.isEmpty())
            found.whyNot = inWords(context().known->refusalOf(question));
        const auto row = context().known->of(question.request, what);
        found.isComplete = found.isComplete && row;
        if (!row)
            continue;
        found.contrast = row->contrast;
        for (std::size_t key = what.keys.first; key < std::min(what.keys.last, found.losses.size()); ++key)
            if (key < row->drops.size())
                found.losses[key] = row->drops[key];
    }
}

void SourceWordsView::findShares(Content& found, Of whom) const {
    const auto question = shareQuestion(*found.of, whom);
    const auto maps = context().known->of(question.request, std::get<trace::MapsWhat>(question.what));
    if (!maps || found.of->step >= maps->values.rows())
        return;
    const std::size_t tokens = found.tokens().size();
    found.otherShare = 0;
    for (std::size_t c = 0; c < maps->values.columns(); ++c) {
        const double share = maps->mask(found.of->step, c) ? maps->values(0, found.of->step, c) : 0;
        if (c < tokens)
            found.shares.push_back(share);
        else
            found.otherShare += share;
    }
}

/// The difference of two logits is that of their log-probabilities.
void SourceWordsView::findAnswer(Content& found, Of whom) const {
    const auto question = answerQuestion(whom);
    if (!question)
        return;
    found.whyNot = inWords(context().known->refusalOf(*question));
    const auto reading = context().known->of(question->request, trace::ClassifierWhat());
    const std::size_t chosen = found.of->chosen.id;
    if (!reading || chosen >= reading->contributions.size())
        return;
    std::optional<std::size_t> other;
    if (found.of->other && std::cmp_less(found.of->other->id, reading->contributions.size()))
        other = found.of->other->id;
    found.losses.assign(found.run->source.size(), noNumber);
    const auto difference = [&](const std::vector<double>& ofClasses) {
        return ofClasses[chosen] - (other ? ofClasses[*other] : 0);
    };
    for (const auto& word : reading->leftOut)
        found.losses.at(word.firstToken) =
            difference(reading->logProbabilities) - difference(word.logProbabilities);
    for (std::size_t token = 0; token < found.run->source.size(); ++token)
        found.contributions.push_back(reading->contributions[chosen][token] -
                                      (other ? reading->contributions[*other][token] : 0));
    found.isComplete = true;
}

void SourceWordsView::showRows() {
    const auto tokens = shown_.tokens();
    const bool hasTarget = shown_.of && !shown_.isDecoderAlone() && !shown_.isClassifier();
    pages_->setCurrentWidget(shown_.of && shown_.whyNot.isEmpty() ? static_cast<QWidget*>(table_) : hint_);
    hint_->setText(whyEmpty());
    head_->setTitle(shown_.isDecoderAlone() ? tr("Earlier tokens") : tr("Source words"));
    head_->setSubtitle(shown_.isClassifier() ? tr("loss without the word, and contribution")
                                             : tr("knock-out loss, ALTI+"));
    head_->setHelp(shown_.of ? caption() : QString());
    const auto correlation = shown_.correlation();
    agreement_->setVisible(correlation.has_value());
    agreement_->setToolTip(shown_.isClassifier()
                               ? tr("Spearman's rank correlation between the loss and the contribution")
                               : tr("Spearman's rank correlation between the absolute loss and the share"));
    if (correlation)
        agreement_->setText(tr("agree \u03c1 %1").arg(shortNumberText(*correlation)));
    auto labels = tokenLabels(tokens);
    if (hasTarget)
        labels.push_back({.text = tr("target so far"), .special = true});
    auto columns = this->columns(labels);
    TableContent content{.columns = columns};
    const bool areShares = !shown_.isClassifier();
    const auto both = [areShares](const auto& losses, const auto& beside) {
        const QString lost =
            losses ? tr("%1 lost without it").arg(shortSignedText(*losses)) : tr("loss not measured");
        return areShares
                   ? tr("%1, share %2").arg(lost, beside ? shareText(*beside) : tr("not known"))
                   : tr("%1, contribution %2").arg(lost, beside ? shortSignedText(*beside) : tr("not known"));
    };
    content.words = [labels, both, losses = columns[1], beside = columns[3], name = baselineName()](int row) {
        const std::size_t at = row;
        const QString own =
            tr("%1: %2").arg(quoted(labels[at]), both(losses.numbers[at], beside.numbers[at]));
        return losses.ticks[at] || beside.ticks[at]
                   ? tr("%1; %2: %3").arg(own, name, both(losses.ticks[at], beside.ticks[at]))
                   : own;
    };
    content.toolTip = [words = content.words](int row, int) { return words(row); };
    table_->setContent(std::move(content));
    mark();
}

/// Token, loss and its number, share or contribution and its number.
std::vector<TableColumn> SourceWordsView::columns(const std::vector<TokenLabel>& labels) const {
    const bool isClassifier = shown_.isClassifier();
    const bool isCompared = shown_.of && !shown_.of->rather.empty();
    const std::size_t count = shown_.tokens().size();
    const auto losses = known(shown_.losses, labels.size());
    auto beside = known(isClassifier ? shown_.contributions : shown_.shares, labels.size());
    if (labels.size() > count && !shown_.shares.empty())
        beside.back() = shown_.otherShare;
    const auto& compared = baseline_;
    auto besideTicks = known(isClassifier ? compared.contributions : compared.shares, labels.size());
    if (labels.size() > count && !compared.shares.empty())
        besideTicks.back() = compared.otherShare;
    TableColumn token{.title = tr("token"), .tokens = labels};
    for (std::size_t i = 0; i < labels.size(); ++i)
        token.order.emplace_back(static_cast<double>(i));
    TableColumn bar{.title = isCompared ? tr("difference lost") : tr("nats lost"),
                    .numbers = losses,
                    .bars = TableColumn::Bars::Alone,
                    .ticks = known(compared.losses, labels.size())};
    TableColumn loss{.title = {},
                     .toolTip = tr("Loss without the token, in nats; click to sort"),
                     .atRight = true,
                     .order = losses,
                     .sample = QStringLiteral("+00.00")};
    for (std::size_t i = 0; i < losses.size(); ++i)
        loss.texts += losses[i]   ? shortSignedText(*losses[i])
                      : i < count ? QStringLiteral("\u2013")
                                  : QString();
    TableColumn besideBar{.title = isClassifier ? tr("contribution") : tr("ALTI+"),
                          .numbers = beside,
                          .bars = TableColumn::Bars::Alone,
                          .fromLeft = !isClassifier,
                          .ticks = besideTicks,
                          .tracked = !isClassifier};
    TableColumn number{
        .title = isClassifier ? tr("logit") : tr("share"),
        .toolTip = isClassifier
                       ? tr("Contribution of the token to the logit or the logit difference; click to sort")
                       : tr("Share of the token in what the step reads (ALTI+); click to sort"),
        .numbers = beside,
        .write = isClassifier ? shortSignedText : shareText,
        .sample = QStringLiteral("00.0 %")};
    return {token, bar, loss, besideBar, number};
}

TokenFocus SourceWordsView::focusOf(int row) const {
    const auto key = std::optional(trace::TokenIndex(row));
    return shown_.isDecoderAlone() ? TokenFocus{.targetKey = key} : TokenFocus{.sourceKey = key};
}

void SourceWordsView::pin(int row) {
    if (row < std::ssize(shown_.tokens()))
        selection_->togglePinned(focusOf(row));
}

/// The pinned token, or the one that is pointed at elsewhere.
void SourceWordsView::mark() {
    const auto& focus = selection_->focus();
    const auto key = shown_.isDecoderAlone() ? focus.targetKey : focus.sourceKey;
    int row = -1;
    if (key && *key < shown_.tokens().size())
        row = *key;
    table_->setMarked(row >= 0 ? std::optional(row) : std::nullopt);
}

void SourceWordsView::setSpaceMarksShown(bool shown) {
    table_->setSpaceMarksShown(shown);
}

QString SourceWordsView::baselineName() const {
    return baselineOf(*context().document) == Baseline::Twin ? tr("random twin") : tr("uniform shares");
}

QString SourceWordsView::whyEmpty() const {
    if (!shown_.run)
        return hintForNoRun(*this);
    if (!shown_.isClassifier() && shown_.run->model && shown_.run->model->decoderLayers == 0)
        return tr("Encoder-only model: no output tokens.");
    if (!shown_.of)
        return tr("Computed when decoding is complete.");
    return shown_.whyNot;
}

QString SourceWordsView::caption() const {
    const bool isCompared =
        !baseline_.shares.empty() || !baseline_.contributions.empty() ||
        std::ranges::any_of(baseline_.losses, [](double each) { return std::isfinite(each); });
    return isCompared ? tr("%1 Ticks: %2.").arg(ownCaption(), baselineName()) : ownCaption();
}

QString SourceWordsView::ownCaption() const {
    const auto& of = *shown_.of;
    const QString chosen = quoted(tokenLabel(of.chosen));
    const auto other = of.other ? of.other : shown_.contrast;
    const QString what =
        other ? tr("the difference between the logits of %1 and %2").arg(chosen, quoted(tokenLabel(*other)))
              : tr("the log-probability of %1").arg(chosen);
    if (shown_.isClassifier())
        return tr("Loss in %1 when the text is read again without each word in turn, and the contribution of "
                  "each token.")
            .arg(what);
    QString words =
        shown_.isDecoderAlone()
            ? tr("Loss in %1 (step %2 of %3) when each earlier token in turn is hidden from all later "
                 "tokens, and the share of the token after the last layer (ALTI+).")
            : tr("Loss in %1 (step %2 of %3) when each source token in turn is hidden from all "
                 "cross-attention, and the share of the token after the decoder's last layer (ALTI+).");
    words = words.arg(what, QString::number(of.step + 1), QString::number(shown_.run->target.size()));
    if (const auto correlation = shown_.correlation())
        words += ' ' + tr("Rank correlation between the absolute loss and the share: %1.")
                           .arg(shortNumberText(*correlation));
    return words;
}

bool SourceWordsView::hasFigure() const {
    return shown_.of && std::ranges::any_of(shown_.losses, [](double loss) { return std::isfinite(loss); });
}

std::optional<FigureBlocks> SourceWordsView::figureBlocks() const {
    if (!hasFigure())
        return std::nullopt;
    TableFigure figure = table_->figure();
    figure.caption = caption();
    if (figureParts().marks)
        figure.marked = table_->content().marked;
    figure.font = font();
    return figure.blocks();
}

FigureText SourceWordsView::figureText() const {
    if (!hasFigure())
        return {};
    const int step = shown_.of->step + 1;
    return {.title = shown_.isClassifier()     ? tr("Source words")
                     : shown_.isDecoderAlone() ? tr("Earlier tokens at step %1").arg(step)
                                               : tr("Source words at step %1").arg(step),
            .caption = caption(),
            .provenance = provenance(*shown_.run),
            .quantity = shown_.isClassifier() ? tr("loss without the word") : tr("knock-out loss")};
}

trace::FigureData SourceWordsView::figureData() const {
    if (!hasFigure())
        return {};
    const auto tokens = shown_.tokens();
    QStringList names;
    for (const auto& label : tokenLabels(tokens))
        names += label.full();
    auto losses = shown_.losses;
    if (shown_.isClassifier())
        return {.tables = {{.name = "source_words",
                            .columns = {dataColumn("token", names), dataColumn("loss", losses),
                                        dataColumn("contribution", shown_.contributions)}}}};
    auto shares = shown_.shares;
    shares.resize(tokens.size(), noNumber);
    if (!shown_.isDecoderAlone()) { // the last row is that of the target so far
        names += QString();
        losses.push_back(noNumber);
        shares.push_back(shown_.shares.empty() ? noNumber : shown_.otherShare);
    }
    return {.tables = {{.name = "source_words",
                        .columns = {dataColumn("token", names), dataColumn("loss", losses),
                                    dataColumn("share", shares)}}}};
}

std::optional<PictureOptions> SourceWordsView::picture(PictureOptions options) const {
    return ofView(std::move(options), "source-words");
}

bool SourceWordsView::exportChoices(PictureOptions& picture, const Choices& chosen) const {
    sayBaseline(picture, chosen, true);
    return true;
}

QStringList SourceWordsView::nameParts(const trace::HeadAddress& head, int step) const {
    auto parts = FigureSource::nameParts(head, step);
    return shown_.isClassifier() ? parts : parts << QStringLiteral("step-%1").arg(step + 1);
}

} // namespace headscope::widgets
