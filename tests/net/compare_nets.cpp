#include <QCommandLineParser>
#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QMap>
#include <QRegularExpression>
#include <QtEndian>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

/// Compares two nets (net.h) and makes a page of the items that differ, before beside after.
namespace {

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Returns hashes by item; of all items, or of those whose names begin with one of `only`. Ends the program
/// if there is no manifest.
QMap<QString, QByteArray> manifestOf(const QString& folder, const QStringList& only) {
    QFile file(folder + "/manifest.txt");
    if (!file.open(QIODevice::ReadOnly)) {
        std::fprintf(stderr, "%s cannot be read\n", qPrintable(file.fileName()));
        std::exit(2);
    }
    QMap<QString, QByteArray> hashes;
    for (const QByteArray& line : file.readAll().split('\n')) {
        const auto space = line.indexOf(' ');
        const QString name = QString::fromUtf8(line.mid(space + 1));
        const auto isMeant = [&](const QString& beginning) { return name.startsWith(beginning); };
        if (space > 0 && (only.isEmpty() || std::any_of(only.begin(), only.end(), isMeant)))
            hashes[name] = line.left(space);
    }
    return hashes;
}

/// How two items differ.
struct Difference {
    QString words; ///< one line
    QString html;  ///< details for the page; may be empty
};

Difference ofImages(const QString& before, const QString& after, const QString& shown) {
    const QImage a = QImage(before).convertToFormat(QImage::Format_RGB32);
    const QImage b = QImage(after).convertToFormat(QImage::Format_RGB32);
    if (a.size() != b.size())
        return {QString("%1 x %2 pixels, then %3 x %4")
                    .arg(a.width())
                    .arg(a.height())
                    .arg(b.width())
                    .arg(b.height()),
                {}};
    QImage marks(a.size(), QImage::Format_RGB32);
    marks.fill(Qt::white);
    int count = 0, largest = 0;
    QRect where;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x) {
            const QRgb p = a.pixel(x, y), q = b.pixel(x, y);
            const int apart = std::max({std::abs(qRed(p) - qRed(q)), std::abs(qGreen(p) - qGreen(q)),
                                        std::abs(qBlue(p) - qBlue(q))});
            if (apart == 0) {
                const int pale = 224 + qGray(p) / 8;
                marks.setPixel(x, y, qRgb(pale, pale, pale));
                continue;
            }
            marks.setPixel(x, y, qRgb(220, 0, 0));
            where |= QRect(x, y, 1, 1);
            largest = std::max(largest, apart);
            ++count;
        }
    if (count == 0)
        return {"equal pixels, different metadata", {}};
    marks.save(shown);
    return {QString("%1 pixels differ, by up to %2 of 255, at %3, %4 to %5, %6")
                .arg(count)
                .arg(largest)
                .arg(where.left())
                .arg(where.top())
                .arg(where.right())
                .arg(where.bottom()),
            QString("<figure><img src=\"%1\"><figcaption>where</figcaption></figure>")
                .arg(QFileInfo(shown).fileName())};
}

/// Returns removed lines after "-" and added ones after "+"; "" stands for equal lines between them.
QStringList differingLines(const QStringList& a, const QStringList& b) {
    qsizetype begin = 0, endA = a.size(), endB = b.size();
    while (begin < endA && begin < endB && a[begin] == b[begin])
        ++begin;
    while (endA > begin && endB > begin && a[endA - 1] == b[endB - 1])
        --endA, --endB;
    const auto rows = static_cast<std::size_t>(endA - begin),
               columns = static_cast<std::size_t>(endB - begin);
    constexpr std::size_t most = 2'000'000; // cells of the table
    QStringList lines;
    if (rows * columns > most) {
        for (auto i = begin; i < endA; ++i)
            lines += "-" + a[i];
        for (auto i = begin; i < endB; ++i)
            lines += "+" + b[i];
        return lines;
    }
    // common(i, j): length of the longest common subsequence of a[i...] and b[j...].
    std::vector<int> common((rows + 1) * (columns + 1));
    const auto at = [&](std::size_t i, std::size_t j) -> int& { return common[i * (columns + 1) + j]; };
    const auto lineA = [&](std::size_t i) { return a[begin + static_cast<qsizetype>(i)]; };
    const auto lineB = [&](std::size_t j) { return b[begin + static_cast<qsizetype>(j)]; };
    for (std::size_t i = rows; i-- > 0;)
        for (std::size_t j = columns; j-- > 0;)
            at(i, j) = lineA(i) == lineB(j) ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
    for (std::size_t i = 0, j = 0; i < rows || j < columns;) {
        if (i < rows && j < columns && lineA(i) == lineB(j)) {
            if (!lines.isEmpty() && !lines.back().isEmpty())
                lines += "";
            ++i, ++j;
        } else if (j == columns || (i < rows && at(i + 1, j) >= at(i, j + 1)))
            lines += "-" + lineA(i++);
        else
            lines += "+" + lineB(j++);
    }
    return lines;
}

/// Returns the largest difference between two numbers at the same place; -1 if the texts differ in more than
/// numbers.
double largestDifference(const QString& a, const QString& b) {
    static const QRegularExpression number(R"(-?\d+(\.\d+)?([eE][-+]?\d+)?)");
    if (QString(a).replace(number, "0") != QString(b).replace(number, "0"))
        return -1;
    double largest = 0;
    auto inA = number.globalMatch(a), inB = number.globalMatch(b);
    while (inA.hasNext() && inB.hasNext())
        largest =
            std::max(largest, std::abs(inA.next().captured().toDouble() - inB.next().captured().toDouble()));
    return largest;
}

Difference ofTexts(const QString& before, const QString& after) {
    const QString a = QString::fromUtf8(contentOf(before)), b = QString::fromUtf8(contentOf(after));
    const auto lines = differingLines(a.split('\n'), b.split('\n'));
    const auto count =
        std::count_if(lines.begin(), lines.end(), [](const auto& line) { return !line.isEmpty(); });
    QString words = QString("%1 lines").arg(count);
    if (const double largest = largestDifference(a, b); largest >= 0)
        words += QString(", numbers alone, by up to %1").arg(largest);
    constexpr int mostLines = 400, longest = 2000; // characters
    QString html = "<pre>";
    for (const QString& line : lines.mid(0, mostLines)) {
        const char* kind = line.startsWith('-') ? "gone" : line.startsWith('+') ? "new" : "same";
        html += QString("<span class=\"%1\">%2</span>\n")
                    .arg(kind, line.isEmpty() ? "..." : line.left(longest).toHtmlEscaped());
    }
    return {words, html + (lines.size() > mostLines ? "... and more</pre>" : "</pre>")};
}

/// Content of an .npy file.
struct Numbers {
    QString header;
    std::vector<double> values;
};

template <class T>
void read(const QByteArray& bytes, std::vector<double>& values) {
    for (qsizetype at = 0; at + qsizetype(sizeof(T)) <= bytes.size(); at += sizeof(T))
        values.push_back(static_cast<double>(qFromLittleEndian<T>(bytes.constData() + at)));
}

Numbers numbersOf(const QString& path) {
    const QByteArray bytes = contentOf(path);
    if (!bytes.startsWith("\x93NUMPY") || bytes.size() < 10)
        return {};
    const auto length = qFromLittleEndian<quint16>(bytes.constData() + 8);
    Numbers found{QString::fromLatin1(bytes.mid(10, length)).trimmed(), {}};
    const QByteArray data = bytes.mid(10 + length);
    if (found.header.contains("'<f8'"))
        read<double>(data, found.values);
    else if (found.header.contains("'<f4'"))
        read<float>(data, found.values);
    else if (found.header.contains("'<f2'"))
        read<qfloat16>(data, found.values);
    else if (found.header.contains("'<i8'"))
        read<qint64>(data, found.values);
    else if (found.header.contains("'<i4'"))
        read<qint32>(data, found.values);
    else
        read<quint8>(data, found.values);
    return found;
}

Difference ofArrays(const QString& before, const QString& after) {
    const Numbers a = numbersOf(before), b = numbersOf(after);
    if (a.header != b.header || a.values.size() != b.values.size())
        return {"different shape or type: " + a.header + ", then " + b.header, {}};
    std::size_t count = 0, where = 0;
    double largest = -1;
    for (std::size_t i = 0; i < a.values.size(); ++i) {
        const double x = a.values[i], y = b.values[i];
        if (x == y || (std::isnan(x) && std::isnan(y)))
            continue;
        ++count;
        const double apart = std::isnan(x - y) ? HUGE_VAL : std::abs(x - y);
        if (apart > largest) {
            largest = apart;
            where = i;
        }
    }
    if (count == 0)
        return {"equal numbers, different bytes", {}};
    return {QString("%1 of %2 numbers differ, by up to %3: number %4 was %5 and is %6")
                .arg(count)
                .arg(a.values.size())
                .arg(largest)
                .arg(where)
                .arg(a.values[where], 0, 'g', 9)
                .arg(b.values[where], 0, 'g', 9),
            {}};
}

const char* const pageBegin = R"(<!DOCTYPE html><meta charset="utf-8"><title>What differs</title><style>
body { font: 14px sans-serif; margin: 2em } h2 { font-size: 14px; margin: 2em 0 0.3em } p { margin: 0.3em 0 }
figure { display: inline-block; margin: 0 1em 0 0; width: 31%; vertical-align: top } img { max-width: 100%; border: 1px solid #999 }
figcaption { color: #666 } pre { background: #f6f6f6; padding: 0.5em; overflow: auto; max-height: 40em }
.gone { color: #b00000 } .new { color: #006000 } .same { color: #888 }
</style>
)";

class Page {
  public:
    Page(QString before, QString after, QString folder)
        : before_(std::move(before)), after_(std::move(after)), folder_(std::move(folder)) {}

    void addDifferent(const QString& name) {
        const QString a = before_ + "/items/" + name, b = after_ + "/items/" + name;
        const QString ending = QFileInfo(name).suffix();
        const bool isPicture = ending == "png" || ending == "svg";
        Difference found;
        if (ending == "png")
            found = ofImages(a, b, QString("%1/%2.png").arg(folder_).arg(++count_));
        else if (ending == "npy")
            found = ofArrays(a, b);
        else
            found = ofTexts(a, b);
        add(name, found.words,
            (isPicture ? figure(a, "before") + figure(b, "after") : QString()) + found.html);
    }

    void addLone(const QString& name, bool isBefore) {
        const QString path = (isBefore ? before_ : after_) + "/items/" + name;
        const QString ending = QFileInfo(name).suffix();
        add(name, isBefore ? "only before" : "only after",
            ending == "png" || ending == "svg" ? figure(path, isBefore ? "before" : "after") : QString());
    }

    /// Returns false if the page cannot be written.
    bool write(const QString& summary) const {
        QFile file(folder_ + "/index.html");
        const QByteArray page = (pageBegin + ("<h1>" + summary.toHtmlEscaped() + "</h1>") + html_).toUtf8();
        return file.open(QIODevice::WriteOnly) && file.write(page) == page.size();
    }

  private:
    void add(const QString& name, const QString& words, const QString& rest) {
        std::printf("%s: %s\n", qPrintable(name), qPrintable(words));
        html_ += "<h2>" + name.toHtmlEscaped() + "</h2><p>" + words.toHtmlEscaped() + "</p>" + rest + '\n';
    }

    QString figure(const QString& path, const QString& caption) const {
        const QString link = QDir(folder_).relativeFilePath(QFileInfo(path).absoluteFilePath());
        return QString("<figure><a href=\"%1\"><img loading=\"lazy\" "
                       "src=\"%1\"></a><figcaption>%2</figcaption></figure>")
            .arg(link, caption);
    }

    QString before_, after_, folder_, html_;
    int count_ = 0;
};

} // namespace

int main(int argc, char** argv) {
    const QCoreApplication application(argc, argv);
    QCommandLineParser parser;
    parser.setApplicationDescription(
        "Compares two nets. Exit status: 0 if they are equal, 1 if they differ.");
    parser.addHelpOption();
    parser.addPositionalArgument("BEFORE", "Folder that net wrote before the change");
    parser.addPositionalArgument("AFTER", "Folder that net wrote after it");
    parser.addOption({"out", "Folder of the page with the differences; beside AFTER without this", "FOLDER"});
    parser.addOption(
        {"only", "Compare only items whose names begin with this; can be given more than once", "BEGINNING"});
    parser.process(application);
    const auto folders = parser.positionalArguments();
    if (folders.size() != 2)
        parser.showHelp(2);
    const QStringList only = parser.values("only");
    const auto before = manifestOf(folders[0], only), after = manifestOf(folders[1], only);
    const QString beside = QFileInfo(folders[1]).absoluteFilePath() + "-differences";
    const QString out = parser.isSet("out") ? QFileInfo(parser.value("out")).absoluteFilePath() : beside;
    QDir().mkpath(out);
    Page page(folders[0], folders[1], out);
    int same = 0, differing = 0, onlyBefore = 0, onlyAfter = 0;
    for (auto item = before.begin(); item != before.end(); ++item) {
        const auto found = after.find(item.key());
        if (found == after.end()) {
            page.addLone(item.key(), true);
            ++onlyBefore;
        } else if (*found == *item)
            ++same;
        else {
            page.addDifferent(item.key());
            ++differing;
        }
    }
    for (auto item = after.begin(); item != after.end(); ++item)
        if (!before.contains(item.key())) {
            page.addLone(item.key(), false);
            ++onlyAfter;
        }
    const QString summary = QString("%1 same, %2 differ, %3 only before, %4 only after")
                                .arg(same)
                                .arg(differing)
                                .arg(onlyBefore)
                                .arg(onlyAfter);
    std::printf("%s\n", qPrintable(summary));
    if (!page.write(summary)) {
        std::fprintf(stderr, "%s/index.html cannot be written\n", qPrintable(out));
        return 2;
    }
    return differing + onlyBefore + onlyAfter > 0 ? 1 : 0;
}
