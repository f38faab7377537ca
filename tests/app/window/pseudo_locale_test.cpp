#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QDirIterator>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QProcess>
#include <QRegularExpression>
#include <QSettings>
#include <QStandardPaths>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QTemporaryDir>
#include <QTest>
#include <QTextDocumentFragment>
#include <QToolButton>
#include <QTranslator>
#include <QXmlStreamReader>

#include "app/desktop/translation.h"
#include "tests/app/window/all_places.h"
#include "tests/app/window/fake_engine.h"
#include "tests/gallery/drawn_words.h"
#include "tests/registered_test.h"
#include "widgets/controls/wrapped_label.h"

#include <algorithm>
#include <set>
#include <utility>

using namespace headscope;

namespace {

using Asked = std::set<std::pair<QByteArray, QByteArray>>; ///< contexts and sources

/// A letter like it that is not of English.
QChar foreign(QChar letter) {
    static const QString small = QStringLiteral("àƀçðéƒğĥîĵķļɱñöþɋŕšţùṽŵẋýž"),
                         large = QStringLiteral("ÀƁÇÐÉƑĞĤÎĴĶĻḾÑÖÞɊŔŠŢÙṼŴẊÝŽ");
    if (letter >= 'a' && letter <= 'z')
        return small[letter.unicode() - 'a'];
    return letter >= 'A' && letter <= 'Z' ? large[letter.unicode() - 'A'] : letter;
}

/// A third longer, with what is not words as it was: %1, tags, entities.
QString pseudo(const QString& source) {
    static const QRegularExpression kept(QStringLiteral("%L?\\d+|%n|</?[a-z][^<>]*>|&[a-z]+;"));
    QString translated;
    qsizetype done = 0, last = 0, letters = 0;
    const auto words = [&](qsizetype end) {
        for (; done < end; ++done) {
            translated += foreign(source[done]);
            if (translated.back() != source[done]) {
                last = translated.size();
                ++letters;
            }
        }
    };
    for (auto each = kept.globalMatch(source); each.hasNext();) {
        const auto found = each.next();
        words(found.capturedStart());
        translated += found.captured();
        done = found.capturedEnd();
    }
    words(source.size());
    return translated.insert(last, QString((letters + 2) / 3, QChar(0x00E9)));
}

/// Translates everything that is asked for, so that what still is English was not.
class PseudoTranslator : public QTranslator {
  public:
    mutable Asked asked;
    bool isEmpty() const override { return false; }
    QString translate(const char* context, const char* source, const char*, int) const override {
        const QByteArray of = context;
        if (of == "QShortcut" || of == "QApplication") // names of keys, and the direction of the layout
            return {};
        if (!of.startsWith('Q') && *source)
            asked.emplace(of, source);
        return pseudo(QString::fromUtf8(source));
    }
};

/// An engine whose data have no English words.
class ForeignEngine : public test::FakeEngine {
  public:
    using FakeEngine::FakeEngine;
    std::string description() const override { return "\u044F"; }
};

} // namespace

/// The window in a language that does not exist: every text is a third longer, and English is what nobody can
/// translate.
class PseudoLocaleTest : public QObject {
    Q_OBJECT

    PseudoTranslator translator_;
    test::FakeEngine::Script script_;
    std::unique_ptr<app::MainWindow> window_;
    QMap<QString, QString> english_, cut_; ///< and where each was seen first
    int texts_ = 0;

    /// Names of bundled models and their sample sentences, longest first: data.
    static QStringList data() {
        QStringList all =
            QDir(HEADSCOPE_SOURCE "/resources/models").entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        QDirIterator samples(HEADSCOPE_SOURCE "/resources", {"*.txt"}, QDir::Files,
                             QDirIterator::Subdirectories);
        while (samples.hasNext()) {
            QFile file(samples.next());
            if (file.open(QIODevice::ReadOnly))
                for (const QString& line : QString::fromUtf8(file.readAll()).split('\n'))
                    if (!line.isEmpty()) // a phenomenon stands after the sentence
                        all += line.section('\t', 0, 0);
        }
        std::ranges::sort(all, std::ranges::greater(), &QString::size);
        return all;
    }
    /// The first word that is English. Addresses, keys, commands, formats of files and symbols of formulas
    /// are the same in every language.
    static QString englishIn(QString text) {
        if (text.contains(QStringLiteral("<p")) || text.contains(QStringLiteral("</")))
            text = QTextDocumentFragment::fromHtml(text).toPlainText();
        static const QStringList known = data();
        for (const QString& each : known)
            text.remove(each);
        static const QStringList same{
            "\\b(encoder|decoder|cross)(-ff)?(\\.\\d+)+",
            "\\b(Ctrl|Alt|Shift|Return|Home|End|Left|Right|Up|Down|PgUp|PgDown)\\b(\\+\\S+)?",
            "\\b(Space|Ins|Del|Esc|Meta)\\b(\\+\\S+)?",
            "headscope-cli .*",
            "\\b(headscope|Headscope|LibTorch)\\b",
            "\\S+://\\S+",
            "(/|\\*\\.|\\.)\\S+",
            "\\b[dhNTSk]_\\w+",
            "\\b(model|ff|nan|bytes|avx2|avx512|KL|ALTI|FFN|CPU|softmax|log|id|dpi|ms|px|mm|cm)\\b",
            "\\b(PNG|SVG|PDF|CSV|JSON|NPZ|KiB|MiB|GiB)\\b"};
        static const QRegularExpression sameEverywhere(same.join('|'));
        text.remove(sameEverywhere);
        static const QRegularExpression word(QStringLiteral("[A-Za-z]{2,}"));
        return word.match(text).captured();
    }
    void see(const QString& text, const QString& where) {
        ++texts_;
        if (const QString word = englishIn(text); !word.isEmpty() && !english_.contains(word))
            english_[word] = text + QStringLiteral("; ") + where;
    }
    void seeCut(const QString& text, const QWidget* widget, const std::string& place) {
        if (!cut_.contains(text))
            cut_[text] =
                QStringLiteral("%1 in %2, %3")
                    .arg(widget->metaObject()->className(), widget->parentWidget()->metaObject()->className(),
                         QString::fromStdString(place));
    }

    void lookAt(const std::string& place, QWidget* window) {
        const QString where = QString::fromStdString(place);
        gallery::DrawnWords page(window->size());
        window->render(&page);
        for (const auto& word : page.words())
            see(word.text, where);
        see(window->windowTitle(), where);
        for (const auto* widget : window->findChildren<QWidget*>()) {
            if (!widget->isVisible())
                continue;
            const QString of = QStringLiteral("%1, ").arg(widget->metaObject()->className()) + where;
            see(widget->toolTip(), "tooltip of " + of);
            see(widget->accessibleName(), "name of " + of);
            see(widget->accessibleDescription(), "description of " + of);
            if (const auto* line = qobject_cast<const QLineEdit*>(widget))
                see(line->placeholderText(), "placeholder of " + of);
            if (const auto* box = qobject_cast<const QComboBox*>(widget))
                for (int item = 0; item < box->count(); ++item)
                    see(box->itemText(item), "item of " + of);
            lookForCuts(place, widget);
        }
    }

    void lookForCuts(const std::string& place, const QWidget* widget) {
        if (const auto* label = qobject_cast<const QLabel*>(widget)) {
            const bool isCut = label->wordWrap() ? label->height() + 1 < label->heightForWidth(label->width())
                                                 : label->width() + 1 < label->sizeHint().width();
            // What tells the whole text in its tooltip may be cut.
            const bool tellsIt =
                !label->toolTip().isEmpty() || qobject_cast<const widgets::WrappedLabel*>(label);
            if (!label->text().isEmpty() && !tellsIt && (isCut || label->text().endsWith(QChar(0x2026))))
                seeCut(label->text(), label, place);
        } else if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) {
            if (!button->text().isEmpty() && button->width() + 1 < button->sizeHint().width())
                seeCut(button->text(), button, place);
        } else if (const auto* box = qobject_cast<const QComboBox*>(widget)) {
            QStyleOptionComboBox option;
            option.initFrom(box);
            option.editable = box->isEditable();
            const QRect room =
                box->style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, box);
            // Some are made to be narrower than the longest of their items, which are whole in the list.
            if (box->sizeAdjustPolicy() != QComboBox::AdjustToMinimumContentsLengthWithIcon &&
                room.width() + 1 < box->fontMetrics().horizontalAdvance(box->currentText()))
                seeCut(box->currentText(), box, place);
        } else if (const auto* header = qobject_cast<const QHeaderView*>(widget)) {
            for (int section = 0; header->model() && section < header->count(); ++section) {
                const QString title = header->model()->headerData(section, header->orientation()).toString();
                if (!header->isSectionHidden(section) && header->orientation() == Qt::Horizontal &&
                    header->sectionSize(section) + 1 < header->fontMetrics().horizontalAdvance(title))
                    seeCut(title, header, place);
            }
        }
    }

    static void print(const char* what, const QMap<QString, QString>& found) {
        for (const auto& [text, where] : found.asKeyValueRange())
            qWarning("%s: \"%s\" (%s)", what, qPrintable(text), qPrintable(where));
    }

    /// What lupdate finds in the sources; empty where it is not installed.
    static Asked marked() {
        Asked found;
        const QString lupdate =
            QStandardPaths::findExecutable("lupdate", {"/usr/lib/qt6/bin", "/usr/lib64/qt6/bin"});
        QTemporaryDir folder;
        if (lupdate.isEmpty() || !folder.isValid())
            return found;
        QProcess process;
        process.setWorkingDirectory(HEADSCOPE_SOURCE);
        process.start(lupdate, {"-silent", "-extensions", "cpp,h,def", "-I", ".", "app", "widgets",
                                HEADSCOPE_BUILD "/data_strings.cpp", "-ts", folder.filePath("all.ts")});
        process.waitForFinished();
        QFile file(folder.filePath("all.ts"));
        if (!file.open(QIODevice::ReadOnly))
            return found;
        QXmlStreamReader xml(&file);
        QByteArray context;
        while (!xml.atEnd()) {
            if (xml.readNext() != QXmlStreamReader::StartElement)
                continue;
            if (xml.name() == QLatin1String("name"))
                context = xml.readElementText().toUtf8();
            else if (xml.name() == QLatin1String("source"))
                found.emplace(context, xml.readElementText().toUtf8());
        }
        return found;
    }

  private Q_SLOTS:
    void initTestCase() {
        QSettings().clear();
        QCoreApplication::installTranslator(&translator_);
        window_ = std::make_unique<app::MainWindow>(
            [this] { return std::make_unique<ForeignEngine>(script_); },
            app::StartWith{.model = QStringLiteral("\u0436\u0436"),
                           .sentence = QStringLiteral("\u0436\u0436 \u044F")});
        window_->resize(1440, 900);
        window_->show();
        QTRY_VERIFY(window_->controller()->run() && window_->controller()->run()->complete);
        tests::atEveryPlace(*window_, [&](const std::string& place) { lookAt(place, window_.get()); });
        window_->actions()[app::workspaceAction("heads")]->trigger();
        for (const auto& action : tests::withWindows)
            // The pages of the manual and the licences of data are files.
            if (action != app::ActionKey(app::ActionId::Keys) &&
                action != app::ActionKey(app::ActionId::Learn) &&
                action != app::ActionKey(app::ActionId::About))
                tests::inWindowOf(*window_, action, [&](QWidget* opened) { lookAt("dialog", opened); });
        for (const auto* action : window_->findChildren<QAction*>()) {
            see(action->text(), "action");
            see(action->toolTip(), "tooltip of the action " + action->text());
            see(action->iconText(), "icon text");
        }
    }
    void cleanupTestCase() {
        window_.reset();
        QCoreApplication::removeTranslator(&translator_);
    }

    void nothingIsEnglish() {
        qInfo("%d texts seen", texts_);
        QVERIFY(texts_ > 1000);
        print("English", english_);
        QCOMPARE(english_.size(), 0);
    }
    void nothingIsCut() {
        print("cut", cut_);
        QCOMPARE(cut_.size(), 0);
    }
    void whatIsShownIsMarkedForTranslators() {
        const Asked known = marked();
        if (known.empty())
            QSKIP("lupdate is not installed (qt6-l10n-tools)");
        qInfo("%zu strings marked, %zu of them shown", known.size(), translator_.asked.size());
        QMap<QString, QString> unknown;
        for (const auto& each : translator_.asked)
            if (!known.contains(each))
                unknown[QString::fromUtf8(each.second)] = QString::fromUtf8(each.first);
        print("not marked", unknown);
        QCOMPARE(unknown.size(), 0);
    }

    void aTranslationBesideTheProgramIsLoaded() {
        const QString lrelease =
            QStandardPaths::findExecutable("lrelease", {"/usr/lib/qt6/bin", "/usr/lib64/qt6/bin"});
        if (lrelease.isEmpty())
            QSKIP("lrelease is not installed (qt6-l10n-tools)");
        QTemporaryDir folder;
        QVERIFY(folder.isValid());
        QFile file(folder.filePath("headscope_de.ts"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("<?xml version=\"1.0\"?><!DOCTYPE TS><TS version=\"2.1\" "
                   "language=\"de\"><context><name>Workspace</name>"
                   "<message><source>Explain</source><translation>Erkl\u00E4ren</translation></message></"
                   "context></TS>");
        file.close();
        QCOMPARE(QProcess::execute(lrelease, {"-silent", file.fileName()}), 0);
        QCoreApplication::removeTranslator(&translator_);
        auto* loaded = app::installTranslation(QLocale(QLocale::German), folder.path());
        QVERIFY(loaded);
        QCOMPARE(QCoreApplication::translate("Workspace", "Explain"), QStringLiteral("Erkl\u00E4ren"));
        QCOMPARE(QCoreApplication::translate("Workspace", "Compare"), QStringLiteral("Compare"));
        QVERIFY(!app::installTranslation(QLocale(QLocale::French), folder.path()));
        delete loaded;
        QCoreApplication::installTranslator(&translator_);
    }
};

HEADSCOPE_TEST_IN(QApplication, PseudoLocaleTest)
#include "pseudo_locale_test.moc"
