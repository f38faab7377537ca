#include "widgets/views/head_page/head_page.h"

#include "widgets/controls/wrapped_label.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/selection.h"
#include "widgets/views/head_page/head_page_words.h"
#include "widgets/views/places.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/plain_text.h"
#include "widgets/words/statistic_words.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>
#include <utility>

namespace headscope::widgets {

namespace {

QLabel* selectable(QWidget* parent) {
    auto* label = wrappedLabel(parent);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace

View* views::makers::head_page(Selection* selection, QWidget* parent) {
    return new HeadPage(selection, parent);
}

HeadPage::HeadPage(Selection* selection, QWidget* parent)
    : View(parent), selection_(selection), title_(selectable(this)), roles_(selectable(this)),
      statistics_(selectable(this)), drivingTitle_(selectable(this)), driving_(new QListWidget(this)),
      samples_(new QPushButton(tr("Run the Sample Sentences"), this)),
      file_(new QPushButton(tr("Run a Text File..."), this)), buttons_(buildButtons()),
      progress_(new QProgressBar(this)), running_(buildProgress()) {
    setAccessibleName(tr("The selected head"));
    QFont bold = title_->font();
    bold.setBold(true);
    title_->setFont(bold);
    driving_->setAccessibleName(tr("Sentences with the highest statistic"));
    driving_->setWordWrap(true);
    driving_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    driving_->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
    auto* inside = new QWidget(this);
    auto* column = new QVBoxLayout(inside);
    column->setContentsMargins(space::s, space::s, space::s, space::s);
    column->setSpacing(space::s);
    for (QWidget* part :
         std::initializer_list<QWidget*>{title_, roles_, drivingTitle_, driving_, statistics_})
        column->addWidget(part);
    column->addStretch(1);
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(inside);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(scroll, 1);
    whole->addWidget(running_);
    whole->addWidget(buttons_);
    connect(driving_, &QListWidget::itemActivated, this, [this](const QListWidgetItem* item) {
        Q_EMIT intended(intents::Decode{item->data(Qt::UserRole).toString().toStdString()});
    });
    connect(selection, &Selection::headChanged, this, &View::questionsChanged); // of another head
    setProgress(std::nullopt);
    showFacts();
}

QWidget* HeadPage::buildButtons() {
    auto* bar = new QWidget(this);
    auto* row = new QBoxLayout(QBoxLayout::LeftToRight, bar);
    row->setContentsMargins(space::s, 0, space::s, space::s);
    row->addWidget(samples_);
    row->addWidget(file_);
    row->addStretch(1);
    using From = intents::ReadSentences::From;
    for (const auto& [button, from] : {std::pair(samples_, From::Samples), std::pair(file_, From::File)})
        connect(button, &QPushButton::clicked, this,
                [this, from = from] { Q_EMIT intended(intents::ReadSentences{from}); });
    return bar;
}

QWidget* HeadPage::buildProgress() {
    auto* bar = new QWidget(this);
    progress_->setAccessibleName(tr("Sentences run"));
    progress_->setFormat(tr("%v of %m sentences"));
    auto* cancel = new QPushButton(tr("Cancel"), bar);
    cancel->setToolTip(tr("Stop; the statistics of the sentences already run are kept"));
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(space::s, 0, space::s, space::s);
    row->addWidget(progress_, 1);
    row->addWidget(cancel);
    connect(cancel, &QPushButton::clicked, this,
            [this] { Q_EMIT intended(intents::ReadSentences{intents::ReadSentences::From::Nowhere}); });
    return bar;
}

void HeadPage::setRun(std::shared_ptr<const trace::Run> run) {
    run_ = std::move(run);
    showFacts();
}

std::vector<trace::Wanted> HeadPage::questions() const {
    auto questions = statisticsQuestions(*context().document);
    for (const auto& more : {twinStatisticsQuestions(context()), corpusQuestions(*context().document)})
        std::ranges::copy(more, std::back_inserter(questions));
    if (known_.ofCorpus)
        questions.emplace_back(
            trace::Counted(analysis::CorpusIntervalsWhat{known_.corpus->of, selection_->head()}));
    return questions;
}

void HeadPage::refresh() {
    const auto& document = *context().document;
    const auto& run = document.run;
    setWhyNoCorpus(!run || !run->model             ? tr("Nothing is decoded yet.")
                   : run->model->tokenizer.empty() ? tr("This model has no tokenizer and reads ids only.")
                                                   : QString());
    const auto& underWay = document.corpus.underWay;
    setProgress(underWay ? std::optional(
                               Progress{.done = underWay->done, .wanted = underWay->corpus->sentences.size()})
                         : std::nullopt);
    Known known{.head = selection_->head(),
                .statistics = shownStatistics(context(), known_.statistics),
                .twin = twinStatistics(context()),
                .corpus = shownCorpus(context(), known_.corpus)};
    known.ofCorpus = known.corpus && document.corpus.areListed;
    known.hasTwinRead = known.corpus && hasTwinRead(document, *known.corpus);
    if (auto importance = shownImportance(context()).importance; importance && importance->complete)
        known.importance = std::move(importance);
    if (known.ofCorpus)
        known.intervals = context().known->of(analysis::CorpusIntervalsWhat{known.corpus->of, known.head});
    setRefused(document.corpus.refused);
    setTwinUnread(known.corpus && hasTwin(document) && !known.hasTwinRead);
    if (std::exchange(known_, known) != known)
        setFacts(factsOf(known));
}

std::optional<HeadFacts> HeadPage::factsOf(const Known& known) {
    const auto in = [&](const std::vector<analysis::HeadStatistics>& heads) {
        const auto found = std::ranges::find(heads, known.head, &analysis::HeadStatistics::head);
        return found == heads.end() ? std::nullopt : std::optional(*found);
    };
    const auto many = known.corpus ? in(known.corpus->heads) : std::nullopt;
    const auto statistics = known.ofCorpus ? many : known.statistics ? in(*known.statistics) : std::nullopt;
    if (!statistics)
        return std::nullopt;
    HeadFacts facts{.statistics = *statistics};
    if (known.ofCorpus && known.hasTwinRead)
        facts.twin = in(known.corpus->twinHeads);
    else if (!known.ofCorpus && known.twin)
        facts.twin = in(*known.twin);
    if (known.importance)
        for (const auto& score : analysis::headScores(*known.importance, std::nullopt))
            if (score.head == known.head)
                facts.importance = score.importance;
    if (known.intervals)
        facts.intervals = *known.intervals;
    if (many) {
        facts.drivenBy = analysis::drivingStatistic(*many);
        facts.driving = known.corpus->of->model.driving(known.head, facts.drivenBy);
    }
    return facts;
}

std::optional<View::Lacking> HeadPage::lacks() const {
    return lackingOfHeads(context());
}

void HeadPage::setFacts(std::optional<HeadFacts> facts) {
    facts_ = std::move(facts);
    showFacts();
}

QString HeadPage::whyNot(const std::string&) const {
    return samples_->isEnabled() ? QString() : samples_->toolTip();
}

void HeadPage::act(const std::string& action) {
    (action == "samples" ? samples_ : file_)->click();
}

void HeadPage::setProgress(std::optional<Progress> progress) {
    running_->setVisible(progress.has_value());
    buttons_->setVisible(!progress);
    if (!progress)
        return;
    progress_->setRange(0, static_cast<int>(progress->wanted));
    progress_->setValue(static_cast<int>(progress->done));
}

void HeadPage::setWhyNoCorpus(const QString& whyNot) {
    samples_->setEnabled(whyNot.isEmpty());
    samples_->setToolTip(whyNot.isEmpty() ? tr("Statistics of every head over the bundled sentences")
                                          : whyNot);
    file_->setEnabled(whyNot.isEmpty());
    file_->setToolTip(whyNot.isEmpty()
                          ? tr("One sentence per line, or tab-separated with the source first; also as .gz")
                          : whyNot);
    Q_EMIT actionsChanged();
}

void HeadPage::setRefused(std::size_t sentences) {
    if (std::exchange(refused_, sentences) != sentences)
        showDriving();
}

void HeadPage::setTwinUnread(bool unread) {
    if (std::exchange(twinUnread_, unread) != unread)
        showDriving();
}

void HeadPage::showFacts() {
    const bool isKnown = hasFigure();
    roles_->setVisible(isKnown);
    statistics_->setVisible(isKnown);
    if (isKnown) {
        const auto& statistics = facts_->statistics;
        title_->setText(headTitle(*run_->model, statistics.head));
        roles_->setText(rolesInWords(*facts_));
        statistics_->setText(statisticsInWords(*facts_, statistics.sentences == 1 ? run_.get() : nullptr));
    } else {
        title_->setText(isModelMissing(*this)
                            ? tr("Describes the selected head. %1").arg(hintForNoRun(*this))
                            : tr("Describes the selected head. Decode a sentence and select a head."));
    }
    showDriving();
}

void HeadPage::showDriving() {
    const bool has = facts_ && run_ && !facts_->driving.empty();
    driving_->setVisible(has);
    driving_->clear();
    QString words;
    if (has) {
        words = tr("Sentences with the strongest \"%1\" (Enter decodes one):")
                    .arg(statisticTitle(facts_->drivenBy));
        for (const auto& sentence : facts_->driving) {
            const QString text = QString::fromStdString(sentence.text);
            auto* item = new QListWidgetItem(tr("%1  %2").arg(statisticText(sentence.value), text), driving_);
            item->setData(Qt::UserRole, text);
            item->setToolTip(plainToolTip(text));
        }
    } else if (facts_) {
        words = tr("Run many sentences to see which have the strongest values.");
    }
    if (refused_ > 0)
        words += ' ' + tr("Sentences refused by the model: %1.").arg(refused_);
    if (twinUnread_)
        words += ' ' + tr("The random twin has not read these sentences: run them again to compare.");
    drivingTitle_->setText(words.trimmed());
    drivingTitle_->setVisible(!words.trimmed().isEmpty());
}

QString HeadPage::words() const {
    return QStringList{title_->text(), roles_->text(), statistics_->text(), drivingTitle_->text()}.join('\n');
}

/// The texts of the page from top to bottom, title first.
std::optional<FigureBlocks> HeadPage::figureBlocks() const {
    if (!hasFigure())
        return std::nullopt;
    QStringList driving{drivingTitle_->text()};
    for (int row = 0; row < driving_->count(); ++row)
        driving += driving_->item(row)->text();
    std::vector paragraphs{wordsBlock(title_->text(), title_->font())};
    for (const QString& part : {roles_->text(), driving.join('\n'), statistics_->text()})
        if (!part.isEmpty())
            paragraphs.push_back(wordsBlock(part, font()));
    const double width = 76 * fontMetrics().averageCharWidth();
    return FigureBlocks{.picture = stacked(paragraphs), .caption = {}, .font = font(), .width = width};
}

FigureText HeadPage::figureText() const {
    if (!hasFigure())
        return {};
    const bool ofRun = facts_->statistics.sentences == 1;
    const QString head = address(facts_->statistics.head);
    return {.title = tr("Facts about %1").arg(head),
            .caption = words(),
            .provenance = ofRun ? provenance(*run_)
                                : tr("%1; %2").arg(QString::fromStdString(run_->model->name),
                                                   scopeText(facts_->statistics)),
            .head = head,
            .quantity = tr("statistics")};
}

QSize HeadPage::minimumSizeHint() const {
    return {32 * fontMetrics().averageCharWidth(), 7 * fontMetrics().height()};
}

/// Buttons are side by side if both fit.
void HeadPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    constexpr int margins = 24;
    const bool fits = samples_->sizeHint().width() + file_->sizeHint().width() + margins <= width();
    static_cast<QBoxLayout*>(buttons_->layout())
        ->setDirection(fits ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

void HeadPage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        QFont bold = font();
        bold.setBold(true);
        title_->setFont(bold);
    }
}

trace::FigureData HeadPage::figureData() const {
    if (!hasFigure())
        return {};
    QStringList names;
    std::vector<double> values, uniform, twin;
    for (const auto statistic : analysis::allStatistics()) {
        names += QString::fromStdString(std::string(analysis::name(statistic)));
        values.push_back(facts_->statistics.values[statistic].value_or(noNumber));
        uniform.push_back(facts_->statistics.uniform[statistic].value_or(noNumber));
        twin.push_back(facts_->twin ? facts_->twin->values[statistic].value_or(noNumber) : noNumber);
    }
    trace::FigureData data{
        .tables = {{.name = "statistics",
                    .columns = {dataColumn("statistic", names), dataColumn("value", values),
                                dataColumn("uniform", uniform)}}}};
    if (facts_->twin)
        data.tables.front().columns.push_back(dataColumn("twin", twin));
    if (facts_->driving.empty())
        return data;
    QStringList sentences;
    std::vector<double> numbers;
    for (const auto& sentence : facts_->driving) {
        sentences += QString::fromStdString(sentence.text);
        numbers.push_back(sentence.value);
    }
    data.tables.push_back({.name = "sentences",
                           .columns = {dataColumn("sentence", sentences),
                                       dataColumn(std::string(analysis::name(facts_->drivenBy)), numbers)}});
    return data;
}

std::optional<PictureOptions> HeadPage::picture(PictureOptions options) const {
    return ofView(std::move(options), "head-page");
}

bool HeadPage::exportChoices(PictureOptions& picture, const Choices& chosen) const {
    if (!facts_ || facts_->intervals || !facts_->driving.empty())
        return false;
    picture.choices.clear(); // choices of the head table
    if (facts_->twin) {
        picture.choices["twin"] = true;
        sayTwin(picture, chosen);
    }
    if (facts_->importance) {
        picture.choices["importance"] = true;
        sayAblation(picture, chosen);
    }
    return true;
}

} // namespace headscope::widgets
