#include <QDirIterator>
#include <QRegularExpression>
#include <QTest>

#include "tests/registered_test.h"

/// Reads every #include line of the program and refuses an arrow that is not in the table. CMake alone
/// cannot: the packages' headers all lie in /usr/include.
class IncludeArrowsTest : public QObject {
    Q_OBJECT

    struct Room {
        QString folder;
        QStringList mayInclude; ///< folders of this project, or single headers
        QString libraries;      ///< regular expression of foreign headers it may see
    };

    static QList<Room> rooms() {
        const QString std = "^[a-z_0-9]+$|^sys/|^unistd.h$|^fcntl.h$|^dlfcn.h$|^time.h$";
        const QString qt = std + "|^Q";
        const QString torch = std + "|^(ATen|torch|c10)/|^sched.h$";
        return {
            {"model/trace", {"model/trace"}, std},
            {"model/analysis", {"model/analysis", "model/trace"}, std},
            {"model/corpus", {"model/corpus", "model/files", "model/trace"}, std},
            {"model/decoding", {"model/decoding", "model/trace"}, std},
            {"model/files", {"model/files", "model/trace"}, std + "|^nlohmann/|^zip.h$|^openssl/|^zlib.h$"},
            {"model/text",
             {"model/text", "model/files", "model/trace"},
             std + "|^nlohmann/|^sentencepiece_(processor|trainer).h$"},
            {"model/network", {"model/network", "model/trace"}, torch},
            {"model/checkpoint",
             {"model/checkpoint", "model/network", "model/files", "model/trace"},
             torch + "|^nlohmann/"},
            {"model/training",
             {"model/training", "model/checkpoint", "model/network", "model/text", "model/corpus",
              "model/analysis", "model/files", "model/trace"},
             torch + "|^nlohmann/"},
            {"model/engine", {"model"}, torch + "|^nlohmann/|^malloc.h$"},
            {"widgets", {"widgets", "model/trace", "model/analysis"}, qt + "|^qcustomplot.h$"},
            {"app/plain",
             {"app/plain", "model/engine/engine.h", "model/engine/trainer.h", "model/trace", "model/analysis",
              "model/files"},
             std + "|^nlohmann/|^linux/userfaultfd.h$"},
            {"app/cli",
             {"app/cli", "app/plain", "model/engine/engine.h", "model/engine/trainer.h", "model/trace",
              "model/analysis", "model/corpus", "model/files"},
             std + "|^nlohmann/|^CLI/"},
            {"app/window",
             {"app/window", "app/plain", "widgets", "model/engine/engine.h", "model/trace", "model/analysis",
              "model/files"},
             qt},
            {"app/pictures",
             {"app/pictures", "app/window", "app/plain", "widgets", "model/trace", "model/analysis",
              "model/files"},
             qt},
            {"app", {"app", "model/engine/engine.h", "model/trace"}, qt + "|^CLI/"},
        };
    }

    static const Room* roomOf(const QList<Room>& rooms, const QString& path) {
        for (const Room& room : rooms)
            if (path.startsWith(room.folder + "/"))
                return &room;
        return nullptr;
    }

  private Q_SLOTS:
    void everyIncludeFollowsAnArrow() {
        const QList<Room> table = rooms();
        const QRegularExpression includeLine("^\\s*#include\\s+([\"<])([^\">]+)[\">]",
                                             QRegularExpression::MultilineOption);
        QStringList offences;
        int files = 0;
        for (const QString top : {"app", "model", "widgets"}) {
            QDirIterator walk(QString(HEADSCOPE_SOURCE) + "/" + top, {"*.h", "*.cpp"}, QDir::Files,
                              QDirIterator::Subdirectories);
            while (walk.hasNext()) {
                const QString path = QDir(HEADSCOPE_SOURCE).relativeFilePath(walk.next());
                const Room* room = roomOf(table, path);
                QVERIFY2(room, qPrintable(path + " lies in no room of the table"));
                QFile file(walk.filePath());
                QVERIFY(file.open(QIODevice::ReadOnly));
                const QString text = QString::fromUtf8(file.readAll());
                ++files;
                for (auto match = includeLine.globalMatch(text); match.hasNext();) {
                    const auto found = match.next();
                    const QString header = found.captured(2);
                    if (!isAllowed(*room, path, found.captured(1) == "\"", header))
                        offences += path + " includes " + header;
                }
            }
        }
        QVERIFY(files > 10);
        QVERIFY2(offences.isEmpty(), qPrintable("\n" + offences.join('\n')));
    }

  private:
    static bool isAllowed(const Room& room, const QString& path, bool ours, const QString& header) {
        if (ours) {
            if (header.endsWith(".moc"))
                return true;
            for (const QString& folder : room.mayInclude)
                if (header == folder || header.startsWith(folder + "/"))
                    return true;
            return false;
        }
        // QCustomPlot needs Qt's keywords and costs seconds: only where it draws.
        if (header == "qcustomplot.h" && !path.endsWith(".cpp"))
            return false;
        return QRegularExpression(room.libraries).match(header).hasMatch();
    }
};

HEADSCOPE_TEST(IncludeArrowsTest)
#include "include_arrows_test.moc"
