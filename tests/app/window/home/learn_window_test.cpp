#include <QAction>
#include <QApplication>
#include <QDesktopServices>
#include <QDir>
#include <QFile>
#include <QImage>
#include <QLineEdit>
#include <QListWidget>
#include <QMainWindow>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QToolButton>

#include "app/desktop/actions.h"
#include "app/window/home/key_list.h"
#include "app/window/home/learn_window.h"
#include "app/window/home/manual_browser.h"
#include "tests/watched_test.h"

#include <memory>

using namespace headscope::app;

class LearnWindowTest : public QObject {
    Q_OBJECT

    static inline const QString source_ = HEADSCOPE_SOURCE;
    static inline const QString manual_ = source_ + "/resources/manual";

    static QString contentOf(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }

    static void write(const QString& path, const QByteArray& content) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
    }

    /// README and the pages of the manual.
    static QStringList documents() {
        QStringList all{source_ + "/README.md"};
        for (const QString& page : QDir(manual_).entryList({"*.md"}))
            all += manual_ + '/' + page;
        return all;
    }

    static QStringList anchorsOf(const QString& path) {
        QTextDocument document;
        document.setMarkdown(contentOf(path));
        ManualBrowser::setAnchors(document);
        QStringList anchors;
        for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
            if (block.blockFormat().headingLevel() > 0)
                anchors += block.begin().fragment().charFormat().anchorNames();
        return anchors;
    }

    /// Neither code nor names in bold, which are the program's own.
    static QString prose(QString markdown) {
        static const QRegularExpression other("```.*?```|`[^`]*`|\\*\\*.*?\\*\\*",
                                              QRegularExpression::DotMatchesEverythingOption);
        return markdown.replace(other, " ");
    }

    QWidget owner_;
    Actions actions_{&owner_};
    std::unique_ptr<LearnWindow> window_;
    QList<QUrl> opened_; ///< in the browser of the desktop

    ManualBrowser* browser() const { return window_->browser(); }
    template <class Widget>
    Widget* named(const QString& name) const {
        for (auto* widget : window_->findChildren<Widget*>())
            if (widget->accessibleName() == name)
                return widget;
        return nullptr;
    }
    QString page() const { return browser()->pages()[browser()->page()].file; }
    QString topLine() const { return browser()->cursorForPosition({20, 20}).block().text(); }
    void search(const QString& words) const {
        auto* field = named<QLineEdit>("Search the manual");
        field->clear();
        QTest::keyClicks(field, words);
    }
    QImage imageOf(const QString& file) const {
        return browser()
            ->document()
            ->resource(QTextDocument::ImageResource, browser()->urlOf(file))
            .value<QImage>();
    }

  public Q_SLOTS:
    void openInBrowser(const QUrl& url) { opened_ += url; }

  private Q_SLOTS:
    void init() {
        window_ = std::make_unique<LearnWindow>(manual_, actions_, nullptr);
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    }
    void cleanup() { window_.reset(); }

    void everyPageIsListedAndOpens() {
        auto* list = named<QListWidget>("Pages");
        const int pages = QDir(manual_).entryList({"*.md"}).size();
        QCOMPARE(list->count(), pages + 2); // the terms and the keys
        QCOMPARE(page(), QString("index.md"));
        for (int row = pages - 1; row >= 0; --row) {
            list->setCurrentRow(row);
            QVERIFY(!browser()->document()->isEmpty());
            QCOMPARE(browser()->document()->firstBlock().text(), list->item(row)->text());
            QTest::qWait(1); // which lays it out
        }
    }

    void theTermsAndTheKeysAreListedToo() {
        auto* list = named<QListWidget>("Pages");
        window_->showKeys();
        QVERIFY(window_->keys()->isVisible() && !browser()->isVisible());
        QCOMPARE(list->currentRow(), list->count() - 1);
        window_->showGlossary();
        QVERIFY(browser()->isVisible());
        QCOMPARE(page(), QString("index.md"));
        QVERIFY(browser()->verticalScrollBar()->value() > 0); // at the terms
        QCOMPARE(list->currentRow(), list->count() - 2);
        list->setCurrentRow(1);
        QCOMPARE(page(), browser()->pages()[1].file);
        window_->showKeys();
        search("roll-out");
        QTest::keyClick(named<QLineEdit>("Search the manual"), Qt::Key_Return);
        QVERIFY(browser()->isVisible());
    }

    void theTourIsStartedFromHere() {
        QSignalSpy tour(actions_[ActionId::Tour], &QAction::triggered);
        actions_.setEnabled(ActionId::Tour, false, "nothing decoded");
        auto* button = window_->findChild<QPushButton*>();
        QVERIFY(!button->isEnabled() && button->toolTip().contains("nothing decoded"));
        actions_.setEnabled(ActionId::Tour, true);
        button->click();
        QCOMPARE(tour.size(), 1);
        QVERIFY(!window_->isVisible());
    }

    void aLinkLeadsToItsHeadingAndTheListFollows() {
        QTextCursor link = browser()->document()->find("The window", 0, QTextDocument::FindCaseSensitively);
        link.setPosition(link.selectionStart() + 1);
        QTest::mouseClick(browser()->viewport(), Qt::LeftButton, {}, browser()->cursorRect(link).center());
        QCOMPARE(page(), QString("window.md"));
        Q_EMIT browser()->anchorClicked(QUrl("#a-tour"));
        QCOMPARE(page(), QString("window.md"));
        QCOMPARE(named<QListWidget>("Pages")->currentItem()->text(), QString("The window"));
        QCOMPARE(topLine(), QString("A tour"));
        browser()->open("window.md#views");
        QCOMPARE(topLine(), QString("Views"));
        auto* back = named<QToolButton>("Back");
        QVERIFY(back->isEnabled());
        back->click();
        QCOMPARE(topLine(), QString("A tour"));
        back->click();
        back->click();
        QCOMPARE(page(), QString("index.md"));
        QVERIFY(!back->isEnabled());
        named<QToolButton>("Forward")->click();
        QCOMPARE(page(), QString("window.md"));
    }

    void picturesAreNoWiderThanTheText() {
        browser()->open("window.md");
        for (const int width : {700, 1100}) {
            window_->resize(width, 700);
            const QImage whole(manual_ + "/pictures/window.png");
            QVERIFY(whole.width() > 1100);
            const auto widest = [&] {
                return browser()->viewport()->width() * browser()->devicePixelRatioF();
            };
            QTRY_VERIFY(imageOf("pictures/window.png").width() <= widest() &&
                        imageOf("pictures/window.png").width() > widest() - 40);
        }
    }

    void theSearchFindsAllPagesAndMarksWhatItFinds() {
        search("Random Twin");
        auto* found = named<QListWidget>("Matches");
        QVERIFY(found->isVisible());
        QVERIFY2(found->count() > 3, qPrintable(QString::number(found->count())));
        QStringList pages;
        for (int i = 0; i < found->count(); ++i) {
            named<QToolButton>("Next Match")->click();
            QCOMPARE(found->currentRow(), i);
            QCOMPARE(browser()->textCursor().selectedText().toLower(), QString("random twin"));
            QVERIFY(!browser()->extraSelections().empty());
            QVERIFY(browser()->viewport()->rect().intersects(browser()->cursorRect()));
            pages += page();
        }
        pages.removeDuplicates();
        QVERIFY(pages.size() > 2);
        named<QToolButton>("Next Match")->click();
        QCOMPARE(found->currentRow(), 0);
        named<QToolButton>("Previous Match")->click();
        QCOMPARE(found->currentRow(), found->count() - 1);
        search("no such words");
        QVERIFY(!found->isVisible() && browser()->extraSelections().empty());
        QVERIFY(!named<QToolButton>("Next Match")->isEnabled());
    }

    void theWebOpensInTheBrowserOfTheDesktopAndNothingElseDoes() {
        QDesktopServices::setUrlHandler("https", this, "openInBrowser");
        QSignalSpy refused(browser(), &ManualBrowser::linkRefused);
        Q_EMIT browser()->anchorClicked(QUrl("https://tatoeba.org"));
        QCOMPARE(opened_, QList<QUrl>{QUrl("https://tatoeba.org")});
        for (const char* other : {"file:///etc/passwd", "ftp://example.org/a.md", "file:../../README.md"})
            Q_EMIT browser()->anchorClicked(QUrl(other));
        Q_EMIT browser()->anchorClicked(QUrl::fromLocalFile(manual_ + "/../../README.md"));
        QCOMPARE(refused.size(), 4);
        QCOMPARE(opened_.size(), 1);
        QCOMPARE(page(), QString("index.md"));
        QDesktopServices::unsetUrlHandler("https");
    }

    void nothingIsLoadedFromOutsideTheFolder() {
        const QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkdir("manual"));
        QImage image(8, 8, QImage::Format_RGB32);
        image.fill(Qt::red);
        QVERIFY(image.save(folder.filePath("outside.png")) &&
                image.save(folder.filePath("manual/inside.png")));
        QVERIFY(QFile::link(folder.filePath("outside.png"), folder.filePath("manual/link.png")));
        write(folder.filePath("outside.md"), "# Outside\n");
        write(folder.filePath("manual/index.md"),
              "# Inside\n\n![a](inside.png) ![a](link.png) ![a](../outside.png) "
              "![a](http://localhost/a.png)\n");
        window_ = std::make_unique<LearnWindow>(folder.filePath("manual"), actions_, nullptr);
        window_->show();
        QCOMPARE(imageOf("inside.png").width(), 8);
        QTRY_COMPARE(imageOf("inside.png").pixelColor(4, 4), QColor(Qt::red));
        QVERIFY(imageOf("link.png").isNull());
        QVERIFY(imageOf("../outside.png").isNull());
        const auto remote =
            browser()->document()->resource(QTextDocument::ImageResource, QUrl("http://localhost/a.png"));
        QVERIFY(remote.value<QImage>().isNull());
        QVERIFY(!browser()->isInside(browser()->urlOf("../outside.md")));
        QVERIFY(!browser()->isInside(QUrl("http://localhost/index.md")));
    }

    void aMissingManualIsSaid() {
        window_ = std::make_unique<LearnWindow>("/no/such/folder", actions_, nullptr);
        window_->show();
        QVERIFY(browser()->toPlainText().contains("/no/such/folder"));
        search("anything");
        QVERIFY(!named<QListWidget>("Matches")->isVisible());
    }

    void everythingHasANameForScreenReaders() {
        const auto takesKeys = [](const QWidget* widget) {
            return widget->focusPolicy() != Qt::NoFocus && widget->isVisible() &&
                   !widget->objectName().startsWith("qt_");
        };
        for (auto* widget :
             headscope::tests::some(window_->findChildren<QWidget*>() | std::views::filter(takesKeys)))
            QVERIFY2(!widget->accessibleName().isEmpty(), widget->metaObject()->className());
    }

    void readmeAndPagesCanBeRead() {
        QVERIFY(contentOf(source_ + "/README.md").count('\n') <= 150);
        for (const QString& document : documents())
            for (const QString& line : contentOf(document).split('\n'))
                QVERIFY2(line.size() <= 700, qPrintable(document + ": " + line.left(80)));
    }

    void everyLinkAndEveryPictureIsThere() {
        static const QRegularExpression link("\\]\\(([^)\\s]+)\\)");
        int links = 0;
        for (const QString& document : documents()) {
            const QString text = contentOf(document);
            for (auto found = link.globalMatch(text); found.hasNext();) {
                const QString target = found.next().captured(1);
                if (target.startsWith("https://"))
                    continue;
                ++links;
                const QString file = target.section('#', 0, 0);
                const QFileInfo path(file.isEmpty() ? document : QFileInfo(document).path() + '/' + file);
                const QByteArray about = (document + ": " + target).toUtf8();
                QVERIFY2(path.exists(), about);
                QVERIFY2(path.canonicalFilePath().startsWith(manual_ + '/'), about);
                if (target.contains('#'))
                    QVERIFY2(anchorsOf(path.filePath()).contains(target.section('#', 1)), about);
            }
        }
        QVERIFY(links > 50);
        const QStringList pictures = QDir(manual_ + "/pictures").entryList({"*.png"});
        const auto isAnimation = [](const QString& name) { return name == "decoding.png"; };
        for (const QString& picture : pictures) {
            const auto size = QFileInfo(manual_ + "/pictures/" + picture).size();
            QVERIFY2(size <= (isAnimation(picture) ? 500'000 : 200'000), qPrintable(picture));
        }
    }

    void retiredWordsAreNotUsed() {
        const QStringList retired =
            contentOf(source_ + "/tests/retired_words.txt").split('\n', Qt::SkipEmptyParts);
        QVERIFY(retired.size() > 10);
        for (const QString& document : documents())
            for (const QString& words : retired)
                if (!words.startsWith('#'))
                    QVERIFY2(!prose(contentOf(document)).contains(words),
                             qPrintable(document + ": " + words));
    }

    void everyActionIsInTheManual() {
        QMainWindow window;
        const Actions actions(&window);
        const QString text = contentOf(manual_ + "/window.md") + contentOf(manual_ + "/keys.md");
        for (const QAction* action : headscope::tests::some(actions.all())) {
            QString name = action->text().replace("&&", "\n").remove('&').remove("...");
            name.replace('\n', '&');
            QVERIFY2(text.contains("**" + name + "**"), qPrintable(name));
        }
    }
};

HEADSCOPE_WATCHED_TEST(LearnWindowTest)
#include "learn_window_test.moc"
