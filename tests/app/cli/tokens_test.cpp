#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>

#include "tests/app/cli/cli_process.h"
#include "tests/registered_test.h"

using namespace cli_process;

namespace {

const QString readingModel = HEADSCOPE_SOURCE "/tests/reference/hugging-face/bert-tiny-masked";

QStringList piecesIn(const QJsonObject& told) {
    QStringList pieces;
    for (const auto token : told["tokens"].toArray())
        pieces += token.toObject()["piece"].toString();
    return pieces;
}

void writeWords(const QString& path, const QByteArray& content) {
    QFile file(path);
    QVERIFY(file.open(QFile::WriteOnly));
    file.write(content);
}

} // namespace

/// The command `tokens`, and settings of the tokenizer that it shows.
class TokensTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aTokenALineWithIdAndRole() {
        const Result result = run({"tokens", readingModel, "The zebra sat", "a cat"});
        QVERIFY2(result.status == 0, result.err.constData());
        QCOMPARE(result.out, QByteArray("2\t[CLS]\tstart\n5\tthe\ttext\n1\tzebra\tunknown\n10\tsat\ttext\n"
                                        "3\t[SEP]\tend\n\n2\t[CLS]\tstart\n6\ta\ttext\n8\tcat\ttext\n"
                                        "3\t[SEP]\tend\n"));
        QVERIFY2(result.err.contains("line 1: 1 of 3 tokens are unknown"), result.err.constData());
        QVERIFY(!result.err.contains("line 2"));
    }

    void rangesAreBytesOfTheText() {
        const Result result = run({"tokens", readingModel, "é cat", "--second", "dog", "--json"});
        QVERIFY2(result.status == 0, result.err.constData());
        const auto told = json(result.out);
        QCOMPARE(piecesIn(told), (QStringList{"[CLS]", "e", "cat", "[SEP]", "dog", "[SEP]"}));
        QCOMPARE(told["unknown"].toInt(), 1);
        const auto cat = told["tokens"].toArray()[2].toObject();
        QCOMPARE(cat["begin"].toInt(), 3);
        QCOMPARE(cat["end"].toInt(), 6);
        QVERIFY(!told["tokens"].toArray()[4].toObject().contains("begin"));
    }

    /// The vocabulary of the folder, with its special tokens.
    void aPatternReplacesTheFoldersSplitting() {
        const Result result = run({"tokens", readingModel, "catthe?dog The", "--tokenizer-pattern",
                                   "the|cat|dog|The", "--json", "--quiet"});
        QVERIFY2(result.status == 0, result.err.constData());
        const auto told = json(result.out);
        QCOMPARE(piecesIn(told), (QStringList{"[CLS]", "cat", "the", "?", "dog", "The", "[SEP]"}));
        QCOMPARE(told["unknown"].toInt(), 2);
    }

    void aPatternSplitsWhatAVocabularyLists() {
        const QTemporaryDir folder;
        const auto vocabulary = folder.filePath("amino-acids.txt");
        QByteArray words = "<pad>\n<cls>\n<eos>\n<unk>\nM\nK\nT\n";
        for (int word = 7; word < 26; ++word)
            words += "w" + QByteArray::number(word) + "\n";
        writeWords(vocabulary, words);
        const auto asked = [&](const QString& pattern) {
            return run({"tokens", readingModel, "MKXT", "--source-vocabulary", vocabulary,
                        "--tokenizer-pattern", pattern, "--source-prefix", "1", "--source-suffix", "2",
                        "--json"});
        };
        const Result result = asked(".");
        QVERIFY2(result.status == 0, result.err.constData());
        QCOMPARE(piecesIn(json(result.out)), (QStringList{"<cls>", "M", "K", "X", "T", "<eos>"}));
        QCOMPARE(json(result.out)["unknown"].toInt(), 1);
        const Result refused = asked("(");
        QCOMPARE(refused.status, 1);
        QVERIFY2(refused.err.contains("tokenizer_pattern"), refused.err.constData());
        QCOMPARE(asked("").status, 2);
    }

    void aPatternWithoutAVocabularySaysHowToNameOne() {
        const QTemporaryDir folder;
        for (const QString name : {"config.json", "model.safetensors"})
            QVERIFY(QFile::copy(readingModel + "/" + name, folder.filePath(name)));
        const Result refused = run({"tokens", folder.path(), "CC", "--tokenizer-pattern", "."});
        QCOMPARE(refused.status, 1);
        QVERIFY2(refused.err.contains("add --source-vocabulary"), refused.err.constData());
    }

    /// Where the vocabulary has capital letters.
    void lowerCasingIsNoted() {
        const QTemporaryDir folder;
        for (const QString name : {"config.json", "model.safetensors"})
            QVERIFY(QFile::copy(readingModel + "/" + name, folder.filePath(name)));
        QByteArray words = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nC\nO\n=\n(\n)\n";
        for (int word = 0; word < 16; ++word)
            words += "w" + QByteArray::number(word) + "\n";
        writeWords(folder.filePath("vocab.txt"), words);
        const Result noted = run({"tokens", folder.path(), "CC(=O)O"});
        QVERIFY2(noted.err.contains("tokens with capital letters, such as \"C\", are never read"),
                 noted.err.constData());
        QVERIFY(noted.err.contains("3 of 6 tokens are unknown"));
        QVERIFY(json(run({"info", folder.path(), "--json"}).out)["notes"].toArray().size() == 1);
        const Result split = run({"tokens", folder.path(), "CC(=O)O", "--tokenizer-pattern", "."});
        QVERIFY2(split.err.isEmpty(), split.err.constData());
        QVERIFY(!split.out.contains("unknown"));
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, TokensTest)
#include "tokens_test.moc"
