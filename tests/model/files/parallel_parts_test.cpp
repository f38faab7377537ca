#include <QFile>
#include <QTemporaryDir>

#include "tests/model/files/foreign_files.h"
#include "tests/registered_test.h"

#include "model/files/file_kind.h"
#include "model/files/parallel_parts.h"

using namespace foreign_files;
using namespace headscope;

/// A model in several files; the joined numbers are compared in decoders_test.
class ParallelPartsTest : public QObject {
    Q_OBJECT

    const std::filesystem::path model_ = HEADSCOPE_SOURCE "/tests/reference/llama-original/llama1-tiny-parts";

  private Q_SLOTS:
    void onlyTheMakersNamesAreThoseOfParts() {
        QVERIFY(files::isParallelPart("a/consolidated.07.pth"));
        for (const char* other : {"consolidated.pth", "consolidated.0x.pth", "consolidated.00.safetensors"})
            QVERIFY(!files::isParallelPart(other));
    }

    void matricesAreJoinedByRowsOrColumns() {
        const auto whole = files::readTensorFile(model_ / "consolidated.01.pth");
        QCOMPARE(whole.format, std::string("PyTorch (zip), parts: 2"));
        const auto shapeOf = [&](const std::string& name) {
            const auto found = std::ranges::find(whole.tensors, name, &files::StoredTensor::name);
            return found == whole.tensors.end() ? "none" : files::shapeText(found->shape);
        };
        QCOMPARE(shapeOf("tok_embeddings.weight"), std::string("[54, 12]"));
        QCOMPARE(shapeOf("layers.1.attention.wo.weight"), std::string("[12, 12]"));
        QCOMPARE(shapeOf("layers.1.feed_forward.w2.weight"), std::string("[12, 24]"));
        QCOMPARE(shapeOf("layers.1.feed_forward.w3.weight"), std::string("[24, 12]"));
        QCOMPARE(shapeOf("norm.weight"), std::string("[12]"));
    }

    void aMissingPartIsRefused() {
        const QTemporaryDir folder;
        const auto copy = [&](const char* from, const char* to) {
            QVERIFY(QFile::copy(QString::fromStdString((model_ / from).string()), folder.filePath(to)));
        };
        copy("consolidated.00.pth", "consolidated.00.pth");
        copy("consolidated.01.pth", "consolidated.02.pth");
        const auto refusal =
            refusalOf([&] { files::readTensorFile(folder.filePath("consolidated.00.pth").toStdString()); });
        QVERIFY2(contains(refusal, {"consolidated.00.pth to consolidated.02.pth", "2 of them"}),
                 refusal.c_str());
    }
};

HEADSCOPE_TEST(ParallelPartsTest)
#include "parallel_parts_test.moc"
