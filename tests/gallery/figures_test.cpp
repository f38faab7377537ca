#include <QApplication>
#include <QImage>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

#include "model/files/figure_files.h"
#include "tests/gallery/drawn_words.h"
#include "tests/gallery/exhibits.h"
#include "tests/model/files/read_npz.h"
#include "tests/watched_test.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_export.h"
#include "widgets/export/xml_text.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

using namespace headscope;
using namespace headscope::widgets;

/// Makes a figure of every view, and files of the numbers behind it.
class FiguresTest : public QObject {
    Q_OBJECT

    /// As a PNG of every content.
    static inline const QString writtenAsWell = QStringLiteral("heatmap");

  private Q_SLOTS:
    void everyFigureIsSavedAndTheNumbersBehindIt_data() {
        QTest::addColumn<int>("exhibit");
        QTest::addColumn<QString>("content");
        const auto all = gallery::all();
        for (int i = 0; i < all.size(); ++i)
            for (const QString content : {"sentence", "long", "mixed", "right-to-left"})
                if (content != "right-to-left" || all[i].name == writtenAsWell)
                    QTest::addRow("%s, %s", qPrintable(all[i].name), qPrintable(content)) << i << content;
    }

    void everyFigureIsSavedAndTheNumbersBehindIt() {
        QFETCH(int, exhibit);
        QFETCH(QString, content);
        QApplication::setPalette(paletteOf(darkTheme()));
        Selection selection;
        const gallery::Exhibit shown = gallery::all()[exhibit];
        const std::unique_ptr<QWidget> view(shown.make(&selection, gallery::runOf(content)));
        const auto* source = dynamic_cast<const FigureSource*>(view.get());
        if (!source)
            return;
        view->resize(shown.sizes.front());
        view->show(); // what takes long is counted only where it is seen, as some numbers are put together
        QVERIFY(QTest::qWaitForWindowExposed(view.get()));
        if (QString(shown.name).endsWith("-refused")) {
            QVERIFY(!source->hasFigure());
            checkNumbers(*source);
            return;
        }
        for (const FigureFormat format : {FigureFormat::Png, FigureFormat::Svg, FigureFormat::Pdf}) {
            const FigureOptions options{.format = format, .size = source->figureSize(), .dpi = 144};
            const double before = tests::computed();
            const auto draw = takenFigure(options, *source); // in the window's thread
            QVERIFY(tests::computed() - before < tests::longestTurn);
            if (format == FigureFormat::Png) {
                const QImage drawn = drawnImage(options, draw);
                if (content == "sentence")
                    QVERIFY(drawn == drawnNow(*source, options));
                // Qt takes longer to encode a picture than to draw it, so one exhibit checks the file.
                if (shown.name != writtenAsWell)
                    continue;
            }
            const FigureBytes figure = figureBytes(options, draw, source->figureText());
            QCOMPARE(figure.error, QString());
            if (format == FigureFormat::Png)
                QVERIFY(QImage::fromData(figure.bytes).convertToFormat(QImage::Format_RGB32) ==
                        drawnImage(options, draw));
            QVERIFY(!figure.bytes.isEmpty());
        }
        checkNumbers(*source);
    }

    void noFigureIsCutWhereItIsSmall_data() {
        QTest::addColumn<int>("exhibit");
        const auto all = gallery::all();
        for (int i = 0; i < all.size(); ++i)
            if (!QString(all[i].name).endsWith("-refused"))
                QTest::addRow("%s", qPrintable(all[i].name)) << i;
    }

    /// A column and half a column more keep the shape, and so every word; a slide has another one.
    void noFigureIsCutWhereItIsSmall() {
        QFETCH(int, exhibit);
        Selection selection;
        const gallery::Exhibit shown = gallery::all()[exhibit];
        const std::unique_ptr<QWidget> view(shown.make(&selection, gallery::runOf("sentence")));
        const auto* source = dynamic_cast<const FigureSource*>(view.get());
        if (!source)
            return;
        view->resize(shown.sizes.front());
        view->show();
        QVERIFY(QTest::qWaitForWindowExposed(view.get()));
        if (!source->hasFigure())
            return;
        const QSize own = source->figureSize();
        const auto whole = wordsOf(*source, own, false);
        QVERIFY(!whole.isEmpty());
        static const QRegularExpression leftOut("One(row|column|step)in\\d+islabelled");
        if (!QString(shown.name).startsWith("long-")) // which have 2000 tokens
            QVERIFY(!whole.contains(leftOut));
        checkIsOfPaper(whole);
        const auto all = differentWords(*source, {.size = own});
        for (const int width : {321, 642}) {
            const QSize size(width, static_cast<int>(std::ceil(width * double(own.height()) / own.width())));
            if (width >= own.width())
                continue;
            if (figureScale({.size = size}, *source) > 1.01 * width / own.width())
                QCOMPARE(missingWords(shown.name, all, *source, {.size = size}).join(QChar(' ')),
                         QString()); // laid out anew
            else
                QCOMPARE(wordsOf(*source, size, false), whole);
        }
        checkColumn(shown.name, all, *source);
        for (const QSize size : {QSize(321, 257), QSize(642, 514), QSize(960, 540)}) {
            const QString said = wordsOf(*source, size, true);
            QVERIFY2(said.endsWith(QString("sha256:%1; Headscope 1.0").arg(QString(64, 'a')).remove(' ')),
                     qPrintable(said.right(200)));
        }
    }

    void aFigureWithoutItsCaptionIsLower_data() { noFigureIsCutWhereItIsSmall_data(); }

    /// It says nothing of it, but in its metadata; nothing lies on anything else; nor without notes and
    /// marks.
    void aFigureWithoutItsCaptionIsLower() {
        QFETCH(int, exhibit);
        Selection selection;
        const gallery::Exhibit shown = gallery::all()[exhibit];
        const std::unique_ptr<QWidget> view(shown.make(&selection, gallery::runOf("sentence")));
        const auto* source = dynamic_cast<const FigureSource*>(view.get());
        if (!source)
            return;
        view->resize(shown.sizes.front());
        view->show();
        QVERIFY(QTest::qWaitForWindowExposed(view.get()));
        if (!source->hasFigure())
            return;
        const FigureText text = source->figureText();
        const QSize own = source->figureSize();
        for (const FigureParts parts :
             {FigureParts{.caption = false}, FigureParts{.caption = false, .notes = false, .marks = false}}) {
            const FigureOptions options{
                .format = FigureFormat::Svg, .size = suggestedSize(*source, parts), .parts = parts};
            QCOMPARE(source->figureSize(), own); // again
            QCOMPARE(source->figureText().caption, text.caption);
            const QString svg = QString::fromUtf8(figureBytes(options, *source).bytes);
            for (const auto& [name, value] : figureMetadata(text, {}))
                QVERIFY2(svg.contains(xmlText(value)), qPrintable(name));
            gallery::DrawnWords page(options.size);
            write(page, *source, options);
            QCOMPARE(page.collision(), QString());
            QCOMPARE(figureScale(options, *source), 1.0);
            if (wordsAlone.contains(shown.name))
                continue;
            QVERIFY2(options.size.height() < own.height(), qPrintable(QString::number(own.height())));
            const QString drawn = squeezed(textOf(page));
            static const QRegularExpression ends("[.:;] ");
            for (const QString& sentence : text.caption.split(ends))
                if (const QString said = squeezed(sentence); said.size() > 24)
                    QVERIFY2(!drawn.contains(said), qPrintable(sentence));
        }
    }

    void namesThatAreLeftOutAreCounted_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"heatmap", "masks", "pinned", "scale-temperature", "score-terms"})
            QTest::newRow(name) << name;
    }

    void namesThatAreLeftOutAreCounted() {
        QFETCH(QString, name);
        const auto all = gallery::all();
        const auto shown = std::ranges::find(all, name, &gallery::Exhibit::name);
        QVERIFY(shown != all.end());
        Selection selection;
        const std::unique_ptr<QWidget> view(shown->make(&selection, gallery::runOf("long")));
        view->resize(shown->sizes.front());
        view->show();
        QVERIFY(QTest::qWaitForWindowExposed(view.get()));
        const auto& source = dynamic_cast<const FigureSource&>(*view);
        const QString words = wordsOf(source, source.figureSize(), false);
        static const QRegularExpression count("One(row|column)in\\d+islabelled");
        QVERIFY2(words.contains(count), qPrintable(words));
        // Which is a note, whether there is a caption or not.
        for (const bool caption : {true, false})
            for (const bool notes : {true, false}) {
                const FigureParts parts{.caption = caption, .notes = notes};
                QCOMPARE(wordsOf(source, suggestedSize(source, parts), false, parts).contains(count), notes);
            }
    }

  private:
    /// The numbers behind a figure, which are read back as they were.
    static void checkNumbers(const FigureSource& source) {
        const auto data = source.figureData();
        checkWhatItIsOf(source.figureText(), data);
        QCOMPARE(data.empty(), !source.hasFigure());
        if (data.empty())
            return;
        const QTemporaryDir folder;
        const auto path = (folder.path() + "/data.npz").toStdString();
        files::saveFigureData(path, data, {});
        const auto arrays = read_npz::readNpz(path);
        std::set<std::string> names;
        for (const auto& array : arrays)
            names.insert(array.name);
        QCOMPARE(names.size(), arrays.size());
        std::size_t at = 0;
        for (const auto& array : data.arrays) {
            QCOMPARE(array.axes.size(), array.shape.size());
            for (std::size_t side = 0; side < array.axes.size(); ++side)
                QVERIFY(array.axes[side].labels.empty() ||
                        array.axes[side].labels.size() == array.shape[side]);
            compareNumbers(arrays.at(at++), array.values);
        }
        for (const auto& table : data.tables) {
            QVERIFY(table.rows() > 0);
            for (const auto& column : table.columns) {
                QCOMPARE(std::visit([](const auto& values) { return values.size(); }, column.values),
                         table.rows());
                if (const auto* numbers = std::get_if<std::vector<double>>(&column.values))
                    compareNumbers(arrays.at(at++), *numbers);
            }
        }
        QVERIFY(!files::saveFigureData((folder.path() + "/data.csv").toStdString(), data, {}).empty());
        QCOMPARE(files::saveFigureData((folder.path() + "/data.json").toStdString(), data, {}).size(),
                 std::size_t{1});
    }

    /// What names a head says so in its metadata, maps say what they are of, and marks of direction stay on
    /// the screen.
    static void checkWhatItIsOf(const FigureText& text, const trace::FigureData& data) {
        static const QRegularExpression address("\\b(encoder|decoder|cross)\\.\\d+\\.\\d+\\b");
        for (auto named = address.globalMatch(text.title + ' ' + text.caption); named.hasNext();) {
            const QString head = named.next().captured();
            const QStringList known = text.head.split(", "); // "cross.2" is said of all of its heads
            QVERIFY2(
                std::ranges::any_of(
                    known, [&](const QString& each) { return head == each || head.startsWith(each + '.'); }),
                qPrintable(text.caption + " has head: " + text.head));
        }
        for (const auto& [name, value] : figureMetadata(text, {}))
            checkNoMarks(value);
        checkIsOfPaper(text.caption);
        for (const auto& array : data.arrays) {
            QVERIFY(array.axes.size() < 2 || !text.quantity.isEmpty());
            for (const auto& axis : array.axes)
                for (const auto& label : axis.labels)
                    checkNoMarks(QString::fromStdString(label));
        }
        for (const auto& table : data.tables)
            for (const auto& column : table.columns)
                if (const auto* texts = std::get_if<std::vector<std::string>>(&column.values))
                    for (const auto& each : *texts)
                        checkNoMarks(QString::fromStdString(each));
    }

    /// Nobody points at a page, which has neither tooltips nor keys to press.
    static void checkIsOfPaper(const QString& words) {
        static const QRegularExpression hands(
            "tooltip|pointedat|pointat|pointer|click|hover|drag|scroll|press(Enter|[A-Z0-9]\\b|the)",
            QRegularExpression::CaseInsensitiveOption);
        const auto found = hands.match(QString(words).remove(' '));
        QVERIFY2(!found.hasMatch(), qPrintable(words));
    }

    static void checkNoMarks(const QString& text) {
        static const QRegularExpression marks("[\\x{2066}-\\x{2069}\\x{200E}\\x{200F}]");
        QVERIFY2(!text.contains(marks), qPrintable(text));
    }

    /// A paper's column that is as high as it has to be, with the line below and without: nothing that is
    /// written lies on anything else or beyond the edge.
    static void checkColumn(const QString& name, const QSet<QString>& all, const FigureSource& source) {
        for (const bool provenance : {false, true}) {
            FigureOptions options{
                .size = {321, 0},
                .dpi = 144,
                .provenanceBelow = provenance,
                .facts = {.weights = "sha256:" + QString(64, 'a'), .software = "Headscope 1.0"}};
            options.size.setHeight(figureHeight(options, source));
            gallery::DrawnWords page(options.size);
            write(page, source, options);
            QCOMPARE(page.collision(), QString());
            checkIsOfPaper(textOf(page));
            if (!name.startsWith("long-")) // where one token in so many is named
                QCOMPARE(missingWords(name, all, source, options).join(QChar(' ')), QString());
            if (readable.contains(name))
                QVERIFY(figureFont(source).pointSizeF() * figureScale(options, source) > 6.99);
        }
    }
    static inline const QStringList readable{
        "heatmap",      "heatmap-encoder", "lines",      "lines-all",    "lines-chosen", "overview",
        "masks",        "curves",          "grid",       "grid-decoder", "grid-tinted",  "candidates",
        "source-share", "scale-scores",    "classifier", "wavelengths",  "similarity"};

    /// With axes of numbers, of which there are as many as have room; with numbers in cells or on bars, which
    /// are left out together; with heads' addresses, which lose their kind.
    static inline const QStringList numbered{"positions",
                                             "similarity",
                                             "wavelengths",
                                             "wavelengths-learned",
                                             "shift",
                                             "shift-learned",
                                             "distance-table",
                                             "rotation",
                                             "scale-scores",
                                             "scale-scores-all",
                                             "scale-scores-temperature",
                                             "scale-temperature",
                                             "scale-temperature-decoder",
                                             "training-curves",
                                             "training-curves-begun",
                                             "training-curves-classifier",
                                             "heatmap-gradient",
                                             "heatmap-words",
                                             "grid-sorted",
                                             "overview-tinted",
                                             "compare-steps",
                                             "experts",
                                             "experts-many"};

    static QString textOf(const gallery::DrawnWords& page) {
        QString text;
        for (const auto& word : page.words())
            text += word.text;
        return text;
    }

    /// By the view itself.
    static QImage drawnNow(const FigureSource& source, const FigureOptions& options) {
        return drawnImage(
            options, [&](QPainter& painter, QSize size) { source.drawFigure(painter, size, lightTheme()); });
    }

    /// All that is written in a figure, without spaces and the ends of lines.
    static QString wordsOf(const FigureSource& source, QSize size, bool provenance,
                           const FigureParts& parts = {}) {
        const FigureBytes figure =
            figureBytes({.format = FigureFormat::Svg,
                         .size = size,
                         .provenanceBelow = provenance,
                         .parts = parts,
                         .facts = {.weights = "sha256:" + QString(64, 'a'), .software = "Headscope 1.0"}},
                        source);
        QString words;
        static const QRegularExpression text("<text[^>]*>([^<]*)</text>");
        for (auto found = text.globalMatch(QString::fromUtf8(figure.bytes)); found.hasNext();)
            words += found.next().captured(1);
        return squeezed(words);
    }
    static QString squeezed(QString words) {
        static const QRegularExpression space("\\s");
        return words.remove(space);
    }

    /// Which stay where the caption, which they are, is left out; and curves, below which none is drawn.
    static inline const QStringList wordsAlone{"head-page", "training-curves", "training-curves-begun",
                                               "training-curves-classifier"};

    /// Of all that a figure of its own size has, those that this one has not; of numbers axes may have fewer.
    static QStringList missingWords(const QString& name, const QSet<QString>& all, const FigureSource& source,
                                    const FigureOptions& options) {
        const bool mayLackNumbers = numbered.contains(name);
        const QSet<QString> there = differentWords(source, options);
        QStringList missing;
        for (const QString& word : all)
            if (!there.contains(word) &&
                !(mayLackNumbers && std::ranges::any_of(word, [](QChar sign) { return sign.isDigit(); })))
                missing += word;
        return missing;
    }
    static QSet<QString> differentWords(const FigureSource& source, const FigureOptions& options) {
        QSet<QString> different;
        static const QRegularExpression ends("[\\s\\x{2066}-\\x{2069}-]+"); // isolates are not seen
        gallery::DrawnWords page(options.size);
        write(page, source, options);
        for (const auto& word : page.words())
            for (const QString& part : word.text.split(ends, Qt::SkipEmptyParts))
                different += part;
        return different;
    }
    static void write(gallery::DrawnWords& page, const FigureSource& source, FigureOptions options) {
        options.format = FigureFormat::Svg; // in units of the page
        QPainter painter(&page);
        takenFigure(options, source)(painter, options.size);
    }

    static void compareNumbers(const files::NamedArray& array, const std::vector<double>& numbers) {
        std::vector<double> read(array.bytes.size() / sizeof(double));
        std::memcpy(read.data(), array.bytes.data(), array.bytes.size());
        QCOMPARE(read.size(), numbers.size());
        for (std::size_t i = 0; i < read.size(); ++i)
            QVERIFY(read[i] == numbers[i] || (std::isnan(read[i]) && std::isnan(numbers[i])));
    }
};

HEADSCOPE_WATCHED_TEST(FiguresTest)
#include "figures_test.moc"
