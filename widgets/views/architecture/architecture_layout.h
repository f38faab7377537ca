#pragma once

#include <QPolygonF>
#include <QRectF>
#include <QSizeF>
#include <QString>
#include <QStringList>

#include "model/analysis/architecture/architecture_blocks.h"

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace headscope::widgets {

/// A block in the picture. An unfolded block is a frame around its children with its title in the upper
/// corner.
struct ArchitectureBox {
    const analysis::ArchitectureBlock* block = nullptr;
    QRectF area;
    QRectF title;
    int depth = 0; ///< number of frames around it
    bool unfolded = false;
    std::optional<trace::SublayerAddress>
        part; ///< sublayer that it belongs to, bypassed by a residual connection
};

/// A line between blocks, with the tensor that flows along it.
struct ArchitectureLine {
    enum class Kind { Flow, Bypass, Memory, Tie };
    Kind kind = Kind::Flow;
    analysis::Side side = analysis::Side::Source; ///< column that it belongs to
    QPolygonF points;
    bool head = true; ///< arrowhead at the end
    QStringList label;
    QRectF labelArea;
    bool upright = false; ///< rotated label, read from below
    Qt::Alignment alignment = Qt::AlignLeft;
    std::optional<trace::SublayerAddress> part;          ///< see ArchitectureBox::part
    const analysis::ArchitectureBlock* reader = nullptr; ///< for Kind::Memory: the block that it enters
};

/// A model as in the well-known figure: the forward pass runs upwards, encoder on the left, decoder on the
/// right, residual connections on the outside, the encoder's output across the middle.
struct ArchitectureLayout {
    std::vector<ArchitectureBox> boxes; ///< frames before their content
    std::vector<ArchitectureLine> lines;
    QRectF sourceFoot; ///< area for the input tokens
    QRectF targetFoot;
    QRectF head; ///< area for the output at the top of the last column
    QSizeF size;

    /// The innermost box at `point`.
    std::optional<std::size_t> boxAt(QPointF point) const;
    std::optional<std::size_t> boxOf(const std::string& role) const;
    /// The next box along the forward pass (`along` 1 or -1), or the nearest one of the other column; `box`
    /// itself at the edge.
    std::size_t neighbour(std::size_t box, int along, int across) const;
};

/// Texts and measures for the layout.
struct ArchitectureText {
    std::function<QString(const analysis::ArchitectureBlock&)> title;
    /// Shape in letters, with numbers if there is a run; one entry per line.
    std::function<QStringList(const analysis::FlowingTensor&)> tensor;
    QString tie; ///< label of the line between tied weights
    std::function<double(const QString&)> width;
    double lineHeight = 16;
};

/// Splits a single line into letters and numbers.
QStringList inTwoLines(const QStringList& tensor);

/// `architecture` must outlive the layout. `unfolded` holds roles of blocks.
ArchitectureLayout layOutArchitecture(const analysis::Architecture& architecture,
                                      const std::set<std::string>& unfolded, const ArchitectureText& text);

} // namespace headscope::widgets
