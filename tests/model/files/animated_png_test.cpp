#include <QBuffer>
#include <QImage>
#include <QTest>

#include "model/files/animated_png.h"
#include "tests/registered_test.h"

#include <stdexcept>
#include <string>
#include <vector>

using namespace headscope;

namespace {

struct Chunk {
    std::string type;
    std::string data;
};

unsigned number(const std::string& bytes, std::size_t at, std::size_t length = 4) {
    unsigned value = 0;
    for (std::size_t i = at; i < at + length; ++i)
        value = value << 8 | static_cast<unsigned char>(bytes.at(i));
    return value;
}

/// Bitwise (ISO 3309).
unsigned checksum(const std::string& bytes) {
    std::uint32_t rest = 0xffffffffU;
    for (const char byte : bytes) {
        rest ^= static_cast<unsigned char>(byte);
        for (int bit = 0; bit < 8; ++bit)
            rest = rest & 1 ? rest >> 1 ^ 0xedb88320U : rest >> 1;
    }
    return ~rest;
}

/// Also checks lengths and checksums.
std::vector<Chunk> chunksOf(const std::string& file) {
    std::vector<Chunk> chunks;
    for (std::size_t at = 8; at < file.size();) {
        const auto length = number(file, at);
        const auto checked = file.substr(at + 4, 4 + length);
        if (checksum(checked) != number(file, at + 8 + length))
            return {};
        chunks.push_back({checked.substr(0, 4), checked.substr(4)});
        at += 12 + length;
    }
    return chunks;
}

std::string pngOf(const QImage& image) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes.toStdString();
}

std::string picture(QRgb colour, QSize size = {40, 30}) {
    QImage image(size, QImage::Format_RGB32);
    image.fill(colour);
    image.setText("Title", "A picture");
    return pngOf(image);
}

/// Programs without support for animations show the last frame.
std::string animatedPng(const std::vector<files::AnimationFrame>& frames) {
    std::string file;
    files::AnimatedPng animation(frames.empty() ? std::string_view() : frames.back().png, frames.size(),
                                 [&](std::string_view bytes) { file += bytes; });
    for (const auto& frame : frames)
        animation.add(frame);
    animation.finish();
    return file;
}

} // namespace

class AnimatedPngTest : public QObject {
    Q_OBJECT

    const std::vector<QRgb> colours_{qRgb(200, 0, 0), qRgb(0, 200, 0), qRgb(0, 0, 200)};

    std::string animation() const {
        std::vector<std::string> files;
        for (const QRgb colour : colours_)
            files.push_back(picture(colour));
        return animatedPng({{.png = files[0], .milliseconds = 500}, {files[1], 500}, {files[2], 65535}});
    }

  private Q_SLOTS:
    void itSaysHowManyFramesThereAreBeforeItsPixels() {
        const auto chunks = chunksOf(animation());
        QVERIFY(!chunks.empty());
        QCOMPARE(chunks[0].type, std::string("IHDR"));
        QCOMPARE(chunks[1].type, std::string("acTL"));
        QCOMPARE(number(chunks[1].data, 0), 3U);
        QCOMPARE(number(chunks[1].data, 4), 0U);
        QCOMPARE(chunks.back().type, std::string("IEND"));
    }

    void framesAreNumberedInTheirOrderAndKeepTheirTime() {
        unsigned sequence = 0;
        std::vector<unsigned> times;
        for (const auto& chunk : chunksOf(animation())) {
            if (chunk.type == "fcTL" || chunk.type == "fdAT")
                QCOMPARE(number(chunk.data, 0), sequence++);
            if (chunk.type != "fcTL")
                continue;
            QCOMPARE(number(chunk.data, 4), 40U);
            QCOMPARE(number(chunk.data, 8), 30U);
            times.push_back(number(chunk.data, 20, 2));
            QCOMPARE(number(chunk.data, 22, 2), 1000U);
        }
        QCOMPARE(times, (std::vector<unsigned>{500, 500, 65535}));
    }

    /// Each frame is wrapped into a separate file and read by Qt.
    void everyFrameIsItsPicture() {
        std::vector<std::string> pixels;
        for (const auto& chunk : chunksOf(animation())) {
            if (chunk.type == "fcTL")
                pixels.emplace_back();
            if (chunk.type == "fdAT")
                pixels.back() += chunk.data.substr(4);
        }
        QCOMPARE(pixels.size(), colours_.size());
        for (std::size_t i = 0; i < pixels.size(); ++i) {
            const auto whole = picture(colours_[i]);
            std::string own;
            for (const auto& chunk : chunksOf(whole))
                if (chunk.type == "IDAT")
                    own += chunk.data;
            QVERIFY(pixels[i] == own);
        }
    }

    void whoDoesNotKnowAnimationsSeesTheLastFrameWithItsText() {
        const auto image = QImage::fromData(QByteArray::fromStdString(animation()), "PNG");
        QCOMPARE(image.pixel(5, 5), colours_.back());
        QCOMPARE(image.text("Title"), QString("A picture"));
    }

    void framesThatDoNotFitAreRefused() {
        const auto one = picture(colours_[0]);
        const auto other = picture(colours_[0], {41, 30});
        const auto cut = one.substr(0, one.size() - 6);
        using Frames = std::vector<files::AnimationFrame>;
        for (const Frames& frames : {Frames{}, Frames{{one, 1}, {other, 1}}, Frames{{cut, 1}},
                                     Frames{{"GIF89a", 1}}, Frames{{one, 70000}}, Frames{{one, -1}}})
            QVERIFY_EXCEPTION_THROWN(animatedPng(frames), std::invalid_argument);
    }

    void anotherNumberOfFramesThanAnnouncedIsRefused() {
        const auto one = picture(colours_[0]);
        files::AnimatedPng animation(one, 1, [](std::string_view) {});
        QVERIFY_EXCEPTION_THROWN(animation.finish(), std::invalid_argument);
        animation.add({.png = one, .milliseconds = 1});
        QVERIFY_EXCEPTION_THROWN(animation.add({.png = one, .milliseconds = 1}), std::invalid_argument);
        animation.finish();
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, AnimatedPngTest)
#include "animated_png_test.moc"
