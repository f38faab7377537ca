#include "model/files/sha256.h"
#include "tests/model/files/foreign_files.h"
#include "tests/registered_test.h"

using namespace foreign_files;
using headscope::files::Sha256;

class Sha256Test : public QObject {
    Q_OBJECT

    static std::string digestOf(const std::string& text, std::size_t part) {
        Sha256 hash;
        for (std::size_t at = 0; at < text.size(); at += part)
            hash.add(bytesOf(text.substr(at, part)));
        return hash.digest();
    }

  private Q_SLOTS:
    void theExamplesOfTheStandard() {
        QCOMPARE(Sha256().digest(),
                 std::string("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
        QCOMPARE(digestOf("abc", 3),
                 std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
        QCOMPARE(digestOf("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56),
                 std::string("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"));
        QCOMPARE(digestOf(std::string(1'000'000, 'a'), 4096),
                 std::string("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"));
    }

    void thePartsItComesInDoNotMatter() {
        for (std::size_t length = 0; length < 200; ++length)
            for (const std::size_t part : {1, 7, 63, 64, 65})
                QCOMPARE(digestOf(std::string(length, 'x'), part), digestOf(std::string(length, 'x'), 1000));
    }
};

HEADSCOPE_TEST(Sha256Test)
#include "sha256_test.moc"
