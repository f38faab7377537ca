#include "app/window/home/learn_window.h"

#include "app/window/home/key_list.h"
#include "app/window/home/manual_browser.h"

#include <QAction>
#include <QBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScreen>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>

#include <algorithm>

namespace headscope::app {

namespace {

/// Returns the text around a match on one line.
QString excerpt(const QString& text, int position, qsizetype length) {
    constexpr int around = 40;
    auto begin = std::max(0, position - around);
    if (const auto space = text.indexOf(' ', begin); begin > 0 && space >= 0 && space < position)
        begin = space + 1;
    const QString words = text.mid(begin, position - begin + length + around).simplified();
    return begin > 0 ? QChar(0x2026) + words : words;
}

} // namespace

LearnWindow::LearnWindow(const QString& folder, const Actions& actions, QWidget* parent)
    : QWidget(parent, Qt::Window), browser_(new ManualBrowser(folder, this)),
      keys_(new KeyList(actions, this)), shown_(new QStackedWidget(this)), words_(new QLineEdit(this)),
      list_(new QListWidget(this)), found_(new QListWidget(this)), summary_(new QLabel(this)) {
    setWindowTitle(tr("Learn"));
    for (const auto& page : browser_->pages())
        list_->addItem(page.title);
    list_->addItem(tr("Glossary"));
    list_->addItem(tr("Keyboard shortcuts"));
    shown_->addWidget(buildReading());
    shown_->addWidget(keys_);
    auto* splitter = new QSplitter(this);
    splitter->addWidget(buildContents(actions));
    splitter->addWidget(shown_);
    splitter->setStretchFactor(1, 1);
    auto* row = new QHBoxLayout(this);
    row->addWidget(splitter);
    constexpr QSize usual(1080, 760);
    resize(usual.boundedTo(screen()->availableSize()));

    connect(words_, &QLineEdit::textChanged, this, &LearnWindow::search);
    connect(words_, &QLineEdit::returnPressed, this, [this] { showNextMatch(1); });
    connect(found_, &QListWidget::currentRowChanged, this, &LearnWindow::showMatch);
    connect(found_, &QListWidget::itemClicked, this, [this] { showMatch(found_->currentRow()); });
    connect(list_, &QListWidget::currentRowChanged, this, &LearnWindow::showRow);
    connect(browser_, &ManualBrowser::pageShown, this, [this](std::size_t page) {
        shown_->setCurrentIndex(0);
        const QSignalBlocker quiet(list_); // the row may change because a link was followed
        if (!isGlossary_)
            list_->setCurrentRow(page);
    });
    connect(browser_, &ManualBrowser::linkRefused, this, [this](const QUrl& url) {
        summary_->setText(tr("Not in the manual: %1").arg(url.toString()));
        summary_->show();
    });
    search();
    if (browser_->pages().empty())
        browser_->setPlainText(tr("The manual is not installed.\nExpected in: %1").arg(folder));
    else
        browser_->open(browser_->pages().front().file);
}

/// Behind the pages are the terms and the keys.
void LearnWindow::showRow(int row) {
    const auto& pages = browser_->pages();
    if (row < std::ssize(pages)) {
        browser_->open(pages[row].file);
    } else if (row == std::ssize(pages)) {
        isGlossary_ = true;
        browser_->open(QStringLiteral("index.md#terms"));
        isGlossary_ = false;
    } else {
        shown_->setCurrentWidget(keys_);
    }
}

void LearnWindow::showGlossary() {
    list_->setCurrentRow(list_->count() - 2);
    showRow(list_->currentRow()); // it may have been left by scrolling
}

void LearnWindow::showKeys() {
    list_->setCurrentRow(list_->count() - 1);
    keys_->words()->setFocus();
}

QWidget* LearnWindow::buildContents(const Actions& actions) {
    auto* contents = new QWidget(this);
    auto* tour = new QPushButton(tr("Take the Tour"), this);
    tour->setAccessibleName(tour->text());
    auto* action = actions[ActionId::Tour];
    const auto follow = [tour, action] {
        tour->setEnabled(action->isEnabled());
        tour->setToolTip(action->toolTip());
    };
    connect(action, &QAction::changed, tour, follow);
    follow();
    connect(tour, &QPushButton::clicked, this, [this, action] {
        hide();
        action->trigger();
    });
    words_->setPlaceholderText(tr("Search the manual"));
    words_->setAccessibleName(tr("Search the manual"));
    words_->setClearButtonEnabled(true);
    list_->setAccessibleName(tr("Pages"));
    found_->setAccessibleName(tr("Matches"));
    found_->setWordWrap(true);
    found_->setResizeMode(QListView::Adjust);
    found_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    summary_->setWordWrap(true);
    summary_->setTextFormat(Qt::PlainText);
    auto* column = new QVBoxLayout(contents);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(tour);
    column->addWidget(words_);
    column->addWidget(list_, 1);
    column->addWidget(summary_);
    column->addWidget(found_, 2);
    return contents;
}

QWidget* LearnWindow::buildReading() {
    auto* reading = new QWidget(this);
    browser_->setAccessibleName(tr("Page of the manual"));
    back_ = button(tr("Back"), tr("The page shown before this one"), QKeySequence::Back);
    forward_ = button(tr("Forward"), tr("The page shown after this one"), QKeySequence::Forward);
    previous_ = button(tr("Previous Match"), tr("The match before this one"), QKeySequence::FindPrevious);
    next_ = button(tr("Next Match"), tr("The match after this one"), QKeySequence::FindNext);
    connect(back_, &QToolButton::clicked, browser_, &QTextBrowser::backward);
    connect(forward_, &QToolButton::clicked, browser_, &QTextBrowser::forward);
    connect(previous_, &QToolButton::clicked, this, [this] { showNextMatch(-1); });
    connect(next_, &QToolButton::clicked, this, [this] { showNextMatch(1); });
    connect(browser_, &QTextBrowser::backwardAvailable, back_, &QWidget::setEnabled);
    connect(browser_, &QTextBrowser::forwardAvailable, forward_, &QWidget::setEnabled);
    back_->setEnabled(false);
    forward_->setEnabled(false);
    auto* row = new QHBoxLayout;
    row->addWidget(back_);
    row->addWidget(forward_);
    row->addStretch(1);
    row->addWidget(previous_);
    row->addWidget(next_);
    auto* column = new QVBoxLayout(reading);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(row);
    column->addWidget(browser_, 1);
    return reading;
}

QToolButton* LearnWindow::button(const QString& text, const QString& tip, const QKeySequence& keys) {
    auto* button = new QToolButton(this);
    button->setText(text);
    button->setAccessibleName(text);
    button->setShortcut(keys);
    button->setToolTip(tr("%1 (%2)").arg(tip, keys.toString(QKeySequence::NativeText)));
    return button;
}

void LearnWindow::search() {
    constexpr std::size_t most = 500; // limit for very frequent words
    constexpr int fewest = 2;         // letters
    const auto& pages = browser_->pages();
    const QString words = words_->text().trimmed().size() < fewest ? QString() : words_->text().trimmed();
    matches_.clear();
    std::size_t pagesFound = 0;
    for (std::size_t page = 0; page < pages.size() && !words.isEmpty(); ++page) {
        const auto before = matches_.size();
        for (qsizetype at = -1; matches_.size() < most &&
                                (at = pages[page].text.indexOf(words, at + 1, Qt::CaseInsensitive)) >= 0;)
            matches_.push_back({page, static_cast<int>(at)});
        pagesFound += matches_.size() > before;
    }
    browser_->setMatches(words);
    {
        const QSignalBlocker quiet(found_);
        found_->clear();
        for (const Match& match : matches_) {
            const auto& page = pages[match.page];
            found_->addItem(tr("%1: %2").arg(page.title, excerpt(page.text, match.position, words.size())));
        }
    }
    found_->setVisible(!matches_.empty());
    previous_->setEnabled(!matches_.empty());
    next_->setEnabled(!matches_.empty());
    summary_->setText(words.isEmpty()    ? QString()
                      : matches_.empty() ? tr("No match.")
                      : matches_.size() == most
                          ? tr("The first %1 matches").arg(most)
                          : tr("Matches: %1. Pages: %2.").arg(matches_.size()).arg(pagesFound));
    summary_->setVisible(!summary_->text().isEmpty());
}

void LearnWindow::showMatch(int row) {
    if (row < 0 || row >= std::ssize(matches_))
        return;
    shown_->setCurrentIndex(0);
    const Match& match = matches_[row];
    browser_->select(match.page, match.position, words_->text().trimmed().size());
}

/// Wraps around at both ends.
void LearnWindow::showNextMatch(int by) {
    const int count = found_->count();
    if (count == 0)
        return;
    const int now = found_->currentRow();
    found_->setCurrentRow(now < 0 ? (by > 0 ? 0 : count - 1) : (now + by + count) % count);
}

void LearnWindow::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape)
        close();
    else
        QWidget::keyPressEvent(event);
}

} // namespace headscope::app
