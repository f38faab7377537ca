#include "tests/model/files/foreign_zip.h"
#include "tests/model/files/pickle_text.h"
#include "tests/registered_test.h"

#include "model/files/torch/saved_object.h"

using namespace foreign_files;
using namespace headscope;
namespace pickled = pickle_text;

class SavedObjectTest : public QObject {
    Q_OBJECT

    Folder folder_;

    static std::string pickle(const std::string& value) { return pickled::start + value + pickled::stop; }

    static void expectWord(const files::Pickle& read) {
        const auto* word = read.as<std::string>(read.root);
        QVERIFY(word);
        QCOMPARE(*word, std::string("word"));
    }

  private Q_SLOTS:
    void whatAZipHoldsIsReadWhateverItIs() {
        foreign_zip::write(folder_ / "a.pt", {{"a/data.pkl", pickle(pickled::text("word"))}});
        expectWord(files::readSavedObject(folder_ / "a.pt"));
    }

    void whatAnOldFileHoldsIsReadWhateverItIs() {
        const std::string magic = "\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19";
        const std::string start = pickle(magic) + pickle(pickled::integer(1001)) + pickle(pickled::emptyDict);
        writeFile(folder_ / "a.pt", start + pickle(pickled::text("word")) + pickle(pickled::emptyList));
        expectWord(files::readSavedObject(folder_ / "a.pt"));
    }

    void filesOfAnotherKindAreRefusedByName() {
        writeFile(folder_ / "a.safetensors", littleEndian(2, 8) + "{}");
        QVERIFY(contains(refusalOf([&] { files::readSavedObject(folder_ / "a.safetensors"); }),
                         {"a.safetensors", "torch.save"}));
        writeFile(folder_ / "plain.pkl", pickle(pickled::text("word")));
        QVERIFY(contains(refusalOf([&] { files::readSavedObject(folder_ / "plain.pkl"); }),
                         {"plain.pkl", "a Python pickle that PyTorch did not write"}));
    }
};

HEADSCOPE_TEST(SavedObjectTest)
#include "saved_object_test.moc"
