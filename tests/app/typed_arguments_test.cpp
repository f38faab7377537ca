#include "app/typed_arguments.h"
#include "tests/registered_test.h"

#include <algorithm>
#include <optional>
#include <sstream>

using headscope::app::addTexts;
using headscope::app::parseAsTyped;
using headscope::app::writeMessage;

class TypedArgumentsTest : public QObject {
    Q_OBJECT

    /// A program with each kind of argument that takes a text.
    struct Program {
        CLI::App app{"", "program"};
        std::string model, source;
        std::optional<std::string> target;
        std::vector<std::string> texts, beside;
        bool json = false;

        Program() {
            auto* command = app.add_subcommand("translate", "");
            command->add_option("MODEL", model, "")->required();
            command->add_option("--source", source, "");
            command->add_option("--target", target, "");
            command->add_flag("--json", json, "");
            addTexts(*command, "--beside", beside, "");
            addTexts(*command, "TEXT", texts, "");
            app.add_subcommand("info", "");
        }
        void parse(std::vector<const char*> arguments) {
            arguments.insert(arguments.begin(), {"program", "translate"});
            parseAsTyped(app, static_cast<int>(arguments.size()), arguments.data());
        }
    };
    using Texts = std::vector<std::string>;

  private Q_SLOTS:
    void aCommandMayStandAfterAnOption() {
        Program one;
        const char* const arguments[]{"program", "--help", "translate"};
        try {
            parseAsTyped(one.app, 3, arguments);
            QFAIL("help is an error to CLI11");
        } catch (const CLI::CallForHelp&) {
            QVERIFY(one.app.got_subcommand("translate"));
        }
    }

    void aProgramWithoutCommandsTakesTextsToo() {
        CLI::App app{"", "window"};
        std::string model, source;
        app.add_option("MODEL", model, "");
        app.add_option("--source", source, "");
        const char* const arguments[]{"window", "[a, b]", "--source", "{}"};
        parseAsTyped(app, 4, arguments);
        QCOMPARE(model, std::string("[a, b]"));
        QCOMPARE(source, std::string("{}"));
    }

    void everyTextArrivesAsItWasTyped_data() {
        QTest::addColumn<QByteArray>("text");
        for (const char* text :
             {"[MASK]", "[w1 w2]", "[a, b]", "[a,b]", "[]",    "[[a],[b]]", "[",    "{}",        "{a}",
              "%%",     "\"a b\"", "'a'",    "`a`",   "a\\nb", "B\"(a)\"",  "info", "translate", "++",
              "/h",     "true",    "a=b",    " ",     "[a",    "b]",        "\x1f"})
            QTest::addRow("%s", text) << QByteArray(text);
    }
    void everyTextArrivesAsItWasTyped() {
        QFETCH(QByteArray, text);
        const std::string typed = text.toStdString();
        Program one;
        one.parse({"model", "--source", text, "--target", text, "--beside", text, "--json", text});
        QCOMPARE(one.texts, Texts{typed});
        QCOMPARE(one.source, typed);
        QCOMPARE(one.target, typed);
        QCOMPARE(one.beside, Texts{typed});
        QVERIFY(one.json);

        Program several;
        const QByteArray source = "--source=" + text, target = "--target=" + text,
                         beside = "--beside=" + text;
        several.parse({text, source, target, beside, beside, text, "b", text});
        QCOMPARE(several.model, typed);
        QCOMPARE(several.source, typed);
        QCOMPARE(several.target, typed);
        QCOMPARE(several.beside, (Texts{typed, typed}));
        QCOMPARE(several.texts, (Texts{typed, "b", typed}));
    }

    void whatStandsAfterTwoDashesIsText() {
        Program program;
        program.parse({"model", "a", "--", "--source=[b]", "-c", "--", "[MASK]"});
        QCOMPARE(program.texts, (Texts{"a", "--source=[b]", "-c", "--", "[MASK]"}));
        QVERIFY(program.source.empty());
    }

    void noTextIsNoText() {
        Program program;
        program.parse({"model"});
        QVERIFY(program.texts.empty() && program.beside.empty() && !program.target);
    }

    void errorsNameWhatWasTyped() {
        Program program;
        std::ostringstream out, errors;
        try {
            const char* const arguments[] = {"program", "info", "[x]"};
            parseAsTyped(program.app, 3, arguments);
        } catch (const CLI::ParseError& thrown) {
            QVERIFY(writeMessage(program.app, thrown, out, errors) != 0);
        }
        const std::string error = errors.str();
        QVERIFY2(error.find(" [x]\n") != std::string::npos, error.c_str());
        QVERIFY(std::ranges::all_of(error, [](char c) { return c >= ' ' || c == '\n'; }));
        QVERIFY(out.str().empty());
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, TypedArgumentsTest)
#include "typed_arguments_test.moc"
