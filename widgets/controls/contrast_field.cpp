#include "widgets/controls/contrast_field.h"

#include "model/trace/answer_span.h"
#include "model/trace/class_label.h"
#include "widgets/controls/wrapped_label.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"
#include "widgets/drawing/token_label.h"
#include "widgets/words/captions.h"

#include <QAction>
#include <QCompleter>
#include <QFormLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QStandardItemModel>
#include <QStyle>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

namespace headscope::widgets {

namespace {

/// The candidates of a step, of all masks or of a classifier, without those that were chosen.
std::vector<trace::Candidate> othersIn(const trace::Run& run, std::size_t step) {
    std::vector<trace::Candidate> others;
    if (step < run.target.size() && run.tree.node(run.path[step]).row)
        std::ranges::copy_if(run.row(step).candidates, std::back_inserter(others),
                             [&](const auto& candidate) {
                                 return step >= run.next.size() || candidate.token.id != run.next[step].id;
                             });
    for (const auto& [position, candidates] : run.maskCandidates)
        others.insert(others.end(), candidates.begin() + (candidates.empty() ? 0 : 1), candidates.end());
    if (const auto answers = run.answers();
        run.answerKind() == trace::AnswerKind::Ends && step < answers.size())
        std::ranges::copy_if(trace::candidatesOfEnd(run, step), std::back_inserter(others),
                             [&](const auto& other) { return other.token.id != answers[step].id; });
    const auto& classes = run.classLogProbabilities;
    for (std::size_t c = 0; c < classes.size(); ++c)
        if (classes[c] < *std::ranges::max_element(classes))
            others.push_back({.token = {.id = static_cast<std::int64_t>(c),
                                        .piece = trace::classLabel(run.model.get(), c)},
                              .logProbability = classes[c]});
    return others;
}

} // namespace

QString contrastName(const trace::Token& token) {
    const QString piece = QString::fromStdString(token.piece);
    const bool isPlain = std::ranges::all_of(piece, [](QChar c) {
        return (c.isPrint() || c.isMark() || c.isSurrogate()) && c != QChar::ReplacementCharacter;
    });
    const bool isTyped = isPlain && !piece.isEmpty() && piece.trimmed() == piece && !piece.startsWith('#');
    return isTyped ? piece : QStringLiteral("#%1").arg(token.id);
}

QString contrastName(const trace::Run& run, const trace::Token& token) {
    return run.answerKind() == trace::AnswerKind::Ends ? QStringLiteral("#%1").arg(token.id)
                                                       : contrastName(token);
}

ContrastField::ContrastField(Selection* selection, QWidget* parent)
    : QWidget(parent), selection_(selection), proposals_(new QStandardItemModel(this)),
      line_(new QLineEdit(this)), clear_(new QAction(this)), refusal_(wrappedLabel(this)) {
    setAccessibleName(tr("Contrast"));
    setFocusProxy(line_);
    line_->setAccessibleName(tr("Compared with"));
    line_->setPlaceholderText(tr("another token"));
    clear_->setIcon(style()->standardIcon(QStyle::SP_LineEditClearButton));
    clear_->setToolTip(tr("Remove the comparison"));
    line_->addAction(clear_, QLineEdit::TrailingPosition);
    clear_->setVisible(false); // after addAction(), which would show it
    refusal_->hide();
    auto* completer = new QCompleter(proposals_, this);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    completer->setFilterMode(Qt::MatchContains);
    completer->setCompletionRole(Qt::UserRole);
    line_->setCompleter(completer);
    line_->installEventFilter(this);
    auto* form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->setVerticalSpacing(space::xs);
    form->addRow(tr("compared with"), line_);
    form->addRow(refusal_);
    connect(line_, &QLineEdit::editingFinished, this, [this] { choose(line_->text()); });
    connect(line_, &QLineEdit::textChanged, this,
            [this](const QString& text) { clear_->setVisible(!text.isEmpty()); });
    connect(completer, qOverload<const QString&>(&QCompleter::activated), this, &ContrastField::choose);
    connect(clear_, &QAction::triggered, this, [this] {
        line_->clear();
        choose({});
    });
    connect(selection_, &Selection::stepChanged, this, &ContrastField::propose);
    setRun(nullptr);
    paintRefusal();
}

ContrastField::~ContrastField() {
    line_->disconnect(this); // it emits a signal when it loses the focus during destruction
}

void ContrastField::setRun(std::shared_ptr<const trace::Run> run) {
    run_ = std::move(run);
    const auto* model = run_ ? run_->model.get() : nullptr;
    const bool classifies = model && model->classes > 0, labels = model && model->tokenLabels > 0;
    const bool marks = model && model->tokenPrediction == trace::TokenPrediction::Span;
    const bool chooses = !model || (model->hasAnswers() && model->numbers == 0);
    setEnabled(chooses);
    line_->setPlaceholderText(classifies ? tr("another class")
                              : labels   ? tr("another label")
                                         : tr("another token"));
    line_->setToolTip(
        model && model->areClassesSeparate
            ? tr("A class to compare the most probable class with, by the difference between "
                 "the two log-probabilities.\nType a class or # and its number; Down lists them. Empty: no "
                 "comparison.")
        : classifies ? tr("A class to compare the chosen class with: the difference between the two "
                          "log-probabilities equals the difference between the two logits.\nType a class or "
                          "# and its number; Down lists "
                          "them. Empty: no comparison.")
        : labels     ? tr("A label to compare the labels of the tokens with: the difference between the two "
                              "log-probabilities equals the difference between the two logits.\nType a label or # "
                              "and its number; Down lists them. "
                              "Empty: no comparison.")
        : marks      ? tr("A token of the text to compare the start and the end of the answer with: the "
                               "difference between the two log-probabilities equals the difference between the two "
                               "logits.\nType a token, or # and its place; Down lists them. Empty: no comparison.")
        : chooses    ? tr("A token to compare the chosen tokens with: the difference between the two "
                             "log-probabilities equals the difference between the two logits.\nType a token, a "
                             "single-token word, or # and an "
                             "id; Down lists the candidates of this step. Empty: no comparison.")
                     : tr("This model has no output tokens to compare."));
    propose();
}

void ContrastField::setContrast(const std::optional<std::string>& token) {
    chosen_ = QString::fromStdString(token.value_or(std::string()));
    refusal_->hide();
    if (line_->text() != chosen_)
        line_->setText(chosen_);
}

void ContrastField::follow(const std::optional<std::string>& token,
                           const std::optional<trace::RefusalText>& refusal) {
    if (std::exchange(followed_, token) != token) {
        setContrast(token);
        refused_.reset();
    }
    const bool isOfToken = refusal && refusal->where == trace::contrastOption;
    if (isOfToken && std::exchange(refused_, token) != token)
        showRefusal(*refusal);
}

void ContrastField::showRefusal(const trace::RefusalText& text) {
    QString words = QString::fromStdString(text.what);
    if (!text.found.empty())
        words += ": " + QString::fromStdString(text.found);
    if (!text.wayOut.empty())
        words += QString(". %1: %2").arg(tr("What to do"), QString::fromStdString(text.wayOut));
    refusal_->setText(words + ".");
    refusal_->show();
}

void ContrastField::choose(const QString& token) {
    const QString wanted = token.trimmed();
    if (wanted == chosen_)
        return;
    chosen_ = wanted;
    Q_EMIT contrastChosen(wanted);
}

/// The chosen token itself is not proposed: compared with itself, every difference is 0.
void ContrastField::propose() {
    proposals_->clear();
    const std::size_t step = selection_->step();
    for (const auto& candidate : run_ ? othersIn(*run_, step) : std::vector<trace::Candidate>()) {
        auto* item = new QStandardItem(
            QStringLiteral("%1   %2").arg(isolated(tokenLabel(candidate.token).full()),
                                          numberText(std::exp(double(candidate.logProbability)))));
        item->setData(contrastName(*run_, candidate.token), Qt::UserRole);
        proposals_->appendRow(item);
    }
}

bool ContrastField::eventFilter(QObject* watched, QEvent* event) {
    if (watched == line_ && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Down) {
        line_->completer()->setCompletionPrefix(line_->text() == chosen_ ? QString() : line_->text());
        line_->completer()->complete();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void ContrastField::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        paintRefusal();
}

void ContrastField::paintRefusal() {
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, themeOf(palette()).bad);
    refusal_->setPalette(colours);
}

} // namespace headscope::widgets
