#include "tests/app/cli/cli_process.h"
#include "tests/registered_test.h"

#include <QDir>
#include <QImage>
#include <QJsonArray>
#include <QRegularExpression>
#include <QStandardPaths>

#include <algorithm>
#include <cmath>

using namespace cli_process;

namespace {

const QString python = "/usr/bin/python3"; // that of the system, which has its packages
const QString sentence = "The old man gave his daughter a red book.";
constexpr int layer = 1, head = 2;

Result runOther(const QString& program, const QStringList& arguments) {
    QProcess process;
    process.start(program, arguments);
    return resultOf(process);
}

struct Cell {
    QPointF middle;
    QColor colour;
    double value = 0; ///< as the colour bar says it
};

} // namespace

/// What is written is read by programs that share nothing with this one: NumPy, Python's XML parser, librsvg
/// and Poppler.
class IndependentReadersTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString file(const QString& name) const { return folder_.filePath(name); }

    mutable QHash<QStringList, QJsonObject> read_;

    /// By a process; what it said of the same file before is still so.
    QJsonObject readBy(const QStringList& arguments) const {
        if (read_.contains(arguments))
            return read_[arguments];
        const auto read = runOther(
            python, QStringList{HEADSCOPE_SOURCE "/tests/app/cli/independent_readers.py"} + arguments);
        if (read.status != 0)
            qWarning("%s", read.err.constData());
        return read_[arguments] = json(read.out);
    }
    bool rendered(const QString& name) const {
        const auto done = run({"render", trained, "--source", sentence, "--view", "heatmap", "--head",
                               QStringLiteral("cross.%1.%2").arg(layer).arg(head), "--out", file(name)});
        return done.status == 0;
    }
    /// Of the head that is rendered, as NumPy has it.
    std::vector<double> weights() const {
        const auto array = readBy({"npz", file("trace.npz"), "cross/weights"});
        const auto shape = array["shape"].toArray();
        const int heads = shape.at(1).toInt(), cells = shape.at(2).toInt() * shape.at(3).toInt();
        std::vector<double> values;
        for (int i = 0; i < cells; ++i)
            values.push_back(array["values"].toArray().at((layer * heads + head) * cells + i).toDouble());
        return values;
    }
    QStringList pieces(const char* side) const {
        const auto read = runOther(python, {"-c",
                                            "import zipfile, sys; print(zipfile.ZipFile(sys.argv[1])."
                                            "read('tokens.json').decode())",
                                            file("trace.npz")});
        QStringList pieces;
        for (const auto piece : json(read.out)[side].toArray())
            pieces += piece.toString().remove(QChar(0x2581));
        return pieces;
    }
    std::vector<Cell> cells() const {
        std::vector<Cell> cells;
        for (const auto each : readBy({"svg", file("map.svg")})["cells"].toArray()) {
            const auto box = each.toArray();
            cells.push_back({.middle = {box[0].toDouble() + box[2].toDouble() / 2,
                                        box[1].toDouble() + box[3].toDouble() / 2},
                             .colour = QColor(box[4].toString()),
                             .value = box[5].toDouble()});
        }
        return cells;
    }
    /// How far the picture's colours are from those that the SVG file says, of 255.
    int farthest(const QImage& picture) const {
        int farthest = 0;
        for (const auto& cell : cells()) {
            const QColor drawn = picture.pixelColor(cell.middle.toPoint());
            farthest = std::max({farthest, std::abs(drawn.red() - cell.colour.red()),
                                 std::abs(drawn.green() - cell.colour.green()),
                                 std::abs(drawn.blue() - cell.colour.blue())});
        }
        return farthest;
    }

  private Q_SLOTS:
    void initTestCase() {
        if (runOther(python, {"-c", "import numpy"}).status != 0)
            QSKIP("the system's Python has no NumPy");
        QCOMPARE(run({"trace", trained, "--source", sentence, "--out", file("trace.npz")}).status, 0);
        QCOMPARE(run({"trace", trained, "--source", sentence, "--out", file("trace.safetensors")}).status, 0);
        QVERIFY(rendered("map.svg") && rendered("map.pdf"));
    }

    void bothKindsOfTracesHoldTheSameNumbers() {
        for (const char* name : {"encoder_self/weights", "decoder_self/scores", "cross/weights"}) {
            const auto npz = readBy({"npz", file("trace.npz"), name});
            QVERIFY(npz["values"].toArray().size() > 100);
            QCOMPARE(readBy({"safetensors", file("trace.safetensors"), name}), npz);
        }
    }

    void anXmlParserFindsARectangleACellInTheColourOfItsNumber() {
        const auto drawn = cells();
        const auto expected = weights();
        QCOMPARE(drawn.size(), expected.size());
        const double band = 1.0 / readBy({"svg", file("map.svg")})["bands"].toDouble();
        for (std::size_t i = 0; i < drawn.size(); ++i)
            QVERIFY2(std::abs(drawn[i].value - expected[i]) <= band,
                     qPrintable(QString("%1: %2 for %3").arg(i).arg(drawn[i].value).arg(expected[i])));
    }

    void textsStayTexts() {
        QStringList texts;
        for (const auto text : readBy({"svg", file("map.svg")})["texts"].toArray())
            texts += text.toString();
        const auto said = pieces("next") + pieces("source");
        QVERIFY(said.size() > 20);
        for (const auto& piece : said)
            QVERIFY2(texts.contains(piece), qPrintable(piece));
    }

    void anSvgRendererDrawsTheColours() {
        if (QStandardPaths::findExecutable("rsvg-convert").isEmpty())
            QSKIP("rsvg-convert (librsvg2-bin) is not there");
        QCOMPARE(runOther("rsvg-convert", {file("map.svg"), "-w", "800", "-h", "640", "-o", file("rsvg.png")})
                     .status,
                 0);
        const QImage picture(file("rsvg.png"));
        QCOMPARE(picture.size(), QSize(800, 640));
        QVERIFY(farthest(picture) <= 1);
    }

    void aPdfReaderDrawsTheColoursAndReadsTheWords() {
        if (QStandardPaths::findExecutable("pdftoppm").isEmpty())
            QSKIP("pdftoppm (poppler-utils) is not there");
        QCOMPARE(runOther("pdftoppm", {"-r", "96", "-png", "-singlefile", file("map.pdf"), file("poppler")})
                     .status,
                 0);
        const QImage picture(file("poppler.png"));
        QCOMPARE(picture.size(), QSize(800, 640));
        QVERIFY2(farthest(picture) <= 2, qPrintable(QString::number(farthest(picture))));
        const auto text = QString::fromUtf8(runOther("pdftotext", {"-layout", file("map.pdf"), "-"}).out);
        for (const auto& piece : pieces("next")) // those of the rows lie level
            QVERIFY2(text.contains(piece), qPrintable(piece + " is not in " + text));
        QVERIFY(text.simplified().contains("Weights; each row sums to 1."));
    }

    void theFigureOfTheManualIsMadeByItsCommand() {
        const auto family = runOther("fc-match", {"-f", "%{family}", "Sans Serif"});
        if (family.status != 0 || !family.out.contains("DejaVu Sans"))
            QSKIP("the figure was drawn with DejaVu Sans, which is not the font here");
        const QString page = contentOf(HEADSCOPE_SOURCE "/resources/manual/command-line.md");
        const auto line = QRegularExpression("^headscope-cli (render .* --out) heatmap\\.png$",
                                             QRegularExpression::MultilineOption)
                              .match(page);
        QVERIFY(line.hasMatch());
        QCOMPARE(run(QProcess::splitCommand(line.captured(1)) + QStringList{file("heatmap.png")}).status, 0);
        // Other processors round otherwise, which a last digit in the words below the map may show.
        const QImage drawn(file("heatmap.png"));
        const QImage kept(HEADSCOPE_SOURCE "/resources/manual/pictures/heatmap.png");
        QCOMPARE(drawn.size(), kept.size());
        for (const QString& key : kept.textKeys())
            QCOMPARE(drawn.text(key), kept.text(key));
        qsizetype others = 0;
        for (int y = 0; y < kept.height(); ++y)
            for (int x = 0; x < kept.width(); ++x)
                others += drawn.pixel(x, y) != kept.pixel(x, y);
        QVERIFY2(others * 1000 < qsizetype(kept.width()) * kept.height(),
                 qPrintable(QString::number(others)));
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, IndependentReadersTest)
#include "independent_readers_test.moc"
