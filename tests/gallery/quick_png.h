#pragma once

#include <QByteArray>
#include <QFile>
#include <QImage>
#include <QString>
#include <QtEndian>

#include <array>
#include <cstring>

/// Writes a picture for a person to look at. Qt tries five filters a row, also of a file that is not
/// compressed, which is half of the time that drawing hundreds of views takes.
namespace headscope::gallery {

inline quint32 crcOf(const QByteArray& bytes) {
    static const auto table = [] {
        std::array<quint32, 256> made{};
        for (quint32 byte = 0; byte < made.size(); ++byte) {
            quint32 value = byte;
            for (int bit = 0; bit < 8; ++bit)
                value = value & 1 ? value >> 1 ^ 0xedb88320U : value >> 1;
            made[byte] = value;
        }
        return made;
    }();
    quint32 crc = 0xffffffffU;
    for (const char byte : bytes)
        crc = table[(crc ^ static_cast<unsigned char>(byte)) & 0xff] ^ crc >> 8;
    return crc ^ 0xffffffffU;
}

inline QByteArray bigEndian(quint32 number) {
    QByteArray bytes(4, Qt::Uninitialized);
    qToBigEndian(number, bytes.data());
    return bytes;
}

inline QByteArray chunk(const char* type, const QByteArray& data) {
    const QByteArray content = type + data;
    return bigEndian(static_cast<quint32>(data.size())) + content + bigEndian(crcOf(content));
}

/// False where it cannot be written.
inline bool savePng(const QImage& image, const QString& path) {
    const QImage pixels = image.convertToFormat(QImage::Format_RGB888);
    const qsizetype row = 3 * qsizetype(pixels.width());
    QByteArray rows(pixels.height() * (row + 1), Qt::Uninitialized);
    for (int y = 0; y < pixels.height(); ++y) {
        char* to = rows.data() + y * (row + 1);
        *to = 0; // not filtered
        std::memcpy(to + 1, pixels.constScanLine(y), static_cast<std::size_t>(row));
    }
    constexpr char eightBitsOfRgb[] = {8, 2, 0, 0, 0};
    const QByteArray header = bigEndian(static_cast<quint32>(pixels.width())) +
                              bigEndian(static_cast<quint32>(pixels.height())) +
                              QByteArray(eightBitsOfRgb, sizeof eightBitsOfRgb);
    constexpr int fast = 1;
    const QByteArray png = QByteArrayLiteral("\x89PNG\r\n\x1a\n") + chunk("IHDR", header) +
                           chunk("IDAT", qCompress(rows, fast).mid(4)) + // behind Qt's own count of bytes
                           chunk("IEND", {});
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(png) == png.size();
}

} // namespace headscope::gallery
