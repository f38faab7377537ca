#pragma once

#include <QByteArray>
#include <QFile>
#include <QImage>
#include <QString>
#include <QtEndian>

#include <cstring>

#include <zlib.h>

/// Writes a picture for a person to look at. Qt tries five filters a row, also of a file that is not
/// compressed, and looks for what it has seen before at any distance, which is half of the time that drawing
/// hundreds of views takes: here a row is that above it or what each pixel adds to its neighbour, and what is
/// packed are the runs of zeros which that leaves of the plain areas of a view.
namespace headscope::net {

inline QByteArray bigEndian(quint32 number) {
    QByteArray bytes(4, Qt::Uninitialized);
    qToBigEndian(number, bytes.data());
    return bytes;
}

inline QByteArray chunk(const char* type, const QByteArray& data) {
    const QByteArray content = type + data;
    const auto crc =
        crc32(0, reinterpret_cast<const Bytef*>(content.constData()), static_cast<uInt>(content.size()));
    return bigEndian(static_cast<quint32>(data.size())) + content + bigEndian(static_cast<quint32>(crc));
}

/// Empty where there is no memory for it.
inline QByteArray packed(QByteArray bytes) {
    z_stream stream{};
    if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS, MAX_MEM_LEVEL, Z_RLE) != Z_OK)
        return {};
    QByteArray packed(static_cast<qsizetype>(deflateBound(&stream, static_cast<uLong>(bytes.size()))),
                      Qt::Uninitialized);
    stream.next_in = reinterpret_cast<Bytef*>(bytes.data());
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    const bool done = deflate(&stream, Z_FINISH) == Z_STREAM_END;
    packed.truncate(done ? static_cast<qsizetype>(stream.total_out) : 0);
    deflateEnd(&stream);
    return packed;
}

/// The rows of 3 bytes a pixel, each behind the number of its filter: 1, what is added to the pixel before,
/// or 2, to the row above.
inline QByteArray filtered(const QImage& pixels) {
    const auto row = static_cast<std::size_t>(3 * pixels.width());
    QByteArray rows(pixels.height() * static_cast<qsizetype>(row + 1), Qt::Uninitialized);
    auto* to = reinterpret_cast<uchar*>(rows.data());
    for (int y = 0; y < pixels.height(); ++y, to += row + 1) {
        const uchar* from = pixels.constScanLine(y);
        const bool isSame = y > 0 && std::memcmp(from, pixels.constScanLine(y - 1), row) == 0;
        to[0] = isSame ? 2 : 1;
        for (std::size_t i = 0; i < row; ++i)
            to[1 + i] = isSame ? 0 : static_cast<uchar>(from[i] - (i < 3 ? 0 : from[i - 3]));
    }
    return rows;
}

/// False where it cannot be written.
inline bool savePng(const QImage& image, const QString& path) {
    const QImage pixels = image.convertToFormat(QImage::Format_RGB888);
    constexpr char eightBitsOfRgb[] = {8, 2, 0, 0, 0};
    const QByteArray header = bigEndian(static_cast<quint32>(pixels.width())) +
                              bigEndian(static_cast<quint32>(pixels.height())) +
                              QByteArray(eightBitsOfRgb, sizeof eightBitsOfRgb);
    const QByteArray data = packed(filtered(pixels));
    const QByteArray png = QByteArrayLiteral("\x89PNG\r\n\x1a\n") + chunk("IHDR", header) +
                           chunk("IDAT", data) + chunk("IEND", {});
    QFile file(path);
    return !data.isEmpty() && file.open(QIODevice::WriteOnly) && file.write(png) == png.size();
}

} // namespace headscope::net
