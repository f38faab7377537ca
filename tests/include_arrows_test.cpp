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
        const QString std = "^[a-z_0-9]+$|^sys/|^unistd.h$|^fcntl.h$|^dlfcn.h$|^time.h$|^malloc.h$";
        const QString qt = std + "|^Q";
        const QString torch = std + "|^(ATen|torch|c10)/|^sched.h$";
        const QString plain = std + "|^nlohmann/";
        // What is known of views without Qt.
        const QStringList specs{"widgets/choice.h", "widgets/map_flags.def", "widgets/picture_options.h",
                                "widgets/view_spec.h"};
        // What both programs have without Qt may be seen by all of them.
        const auto app = [&](const QStringList& folders) {
            return QStringList{"app/choices",
                               "app/models",
                               "app/sessions",
                               "app/traces",
                               "app/command_line_text.h",
                               "app/typed_arguments.h",
                               "app/version.h",
                               "model/engine/engine.h",
                               "model/engine/trainer.h",
                               "model/trace",
                               "model/analysis",
                               "model/files"} +
                   specs + folders;
        };
        QList<Room> rooms{
            {"model/trace", {"model/trace"}, std},
            {"model/analysis", {"model/analysis", "model/trace"}, std},
            {"model/corpus", {"model/corpus", "model/files", "model/trace"}, std},
            {"model/decoding", {"model/decoding", "model/trace"}, std},
            {"model/files", {"model/files", "model/trace"}, std + "|^nlohmann/|^zip.h$|^openssl/|^zlib.h$"},
            {"model/text",
             {"model/text", "model/files", "model/trace"},
             std + "|^nlohmann/|^unicode/|^sentencepiece_(processor|trainer).h$"},
            // Matrices stay in the type of their file.
            {"model/network",
             {"model/network", "model/trace", "model/files/element_type.h", "model/files/block_layouts.h",
              "model/files/block_values.h"},
             torch},
            {"model/checkpoint",
             {"model/checkpoint", "model/network", "model/files", "model/trace"},
             torch + "|^nlohmann/"},
            {"model/training",
             {"model/training", "model/checkpoint", "model/network", "model/text", "model/corpus",
              "model/analysis", "model/files", "model/trace"},
             torch + "|^nlohmann/"},
            {"model/engine", {"model"}, torch + "|^nlohmann/|^malloc.h$"},
            {"app/choices", app({}), plain},
            {"app/models", app({}), plain},
            {"app/sessions", app({}), plain},
            {"app/traces", app({}), plain},
            {"app/cli", app({"app/cli", "model/corpus"}), plain + "|^CLI/"},
            {"app/work", app({"app/work"}), qt},
            {"app/desktop", app({"app/desktop", "widgets"}), qt},
            {"app/document", app({"app/document", "app/desktop", "app/work", "widgets"}), qt},
            {"app/results", app({"app/results", "app/document", "app/desktop", "app/work", "widgets"}), qt},
            {"app/export",
             app({"app/export", "app/results", "app/document", "app/desktop", "app/work", "widgets"}), qt},
            {"app/training",
             app({"app/training", "app/export", "app/results", "app/document", "app/desktop", "app/work",
                  "widgets"}),
             qt},
            {"app/render",
             app({"app/render", "app/training", "app/export", "app/results", "app/document", "app/desktop",
                  "app/work", "widgets"}),
             qt},
            {"app/window", app({"app", "widgets"}), qt},
            {"app", {"app", "model/engine/engine.h", "model/trace"}, qt + "|^CLI/"},
        };
        // Each may include those before it; a view lies in a folder of its own and sees no other view.
        QStringList below = specs + QStringList{"widgets/view_context.h",
                                                "widgets/explained.h",
                                                "widgets/view.h",
                                                "widgets/intent.h",
                                                "widgets/figure_source.h",
                                                "widgets/figure_blocks.h",
                                                "widgets/animated_figure.h",
                                                "widgets/selection.h",
                                                "model/trace",
                                                "model/analysis"};
        const Room flat{"widgets", below, qt};
        for (const char* folder :
             {"drawing", "words", "export", "map", "plots", "tables", "tiles", "controls"}) {
            below += QString("widgets/") + folder;
            rooms.append({below.back(), below, qt + "|^qcustomplot.h$"});
        }
        below += {"widgets/views/catalogue.h", "widgets/views/catalogue.def"};
        below += {"widgets/views/places.h", "widgets/views/places.def"};
        rooms.append({"widgets/views", below, qt + "|^qcustomplot.h$"});
        rooms.append(flat);
        return rooms;
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
            if (room.folder == "widgets/views" && header.section('/', 0, 2) == path.section('/', 0, 2))
                return true;
            for (const QString& folder : room.mayInclude)
                if (header == folder || header.startsWith(folder + "/"))
                    return true;
            return false;
        }
        // The command line is linked with what is known of views.
        static const QRegularExpression spec(
            "_spec\\.cpp$|^widgets/(choice|picture_options|view_spec)\\.|/specs\\.cpp$|/catalogue\\.h$");
        if (spec.match(path).hasMatch() && header.startsWith('Q'))
            return false;
        // QCustomPlot needs Qt's keywords and costs seconds: only where it draws.
        if (header == "qcustomplot.h" && !path.endsWith(".cpp"))
            return false;
        return QRegularExpression(room.libraries).match(header).hasMatch();
    }
};

HEADSCOPE_TEST(IncludeArrowsTest)
#include "include_arrows_test.moc"
