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

/// A block where it stands in the picture. One that is unfolded frames its children, with its title in the
/// frame's upper corner.
struct ArchitectureBox {
    const analysis::ArchitectureBlock* block = nullptr;
    QRectF area;
    QRectF title;
    int depth = 0; ///< frames around it
    bool unfolded = false;
    std::optional<trace::SublayerAddress> part; ///< of this sublayer, which a residual connection leads past
};

/// A line between blocks, and what flows along it.
struct ArchitectureLine {
    enum class Kind { Flow, Bypass, Memory, Tie };
    Kind kind = Kind::Flow;
    analysis::Side side = analysis::Side::Source; ///< whose pass it belongs to
    QPolygonF points;
    bool head = true; ///< an arrow's, at its end
    QStringList label;
    QRectF labelArea;
    bool upright = false; ///< the label stands on its end, read from below
    Qt::Alignment alignment = Qt::AlignLeft;
    std::optional<trace::SublayerAddress> part;          ///< as of a box
    const analysis::ArchitectureBlock* reader = nullptr; ///< of Kind::Memory: where it enters
};

/// A model as the well-known figure: the pass runs upwards, encoder on the left, decoder on the right,
/// residual connections around the outside, the encoder's output across the middle.
struct ArchitectureLayout {
    std::vector<ArchitectureBox> boxes; ///< frames before what is in them
    std::vector<ArchitectureLine> lines;
    QRectF sourceFoot; ///< for the tokens that are fed
    QRectF targetFoot;
    QRectF head; ///< for what comes out at the top of the last column
    QSizeF size;

    /// The innermost there.
    std::optional<std::size_t> boxAt(QPointF point) const;
    std::optional<std::size_t> boxOf(const std::string& role) const;
    /// The box of `role`, else of the smallest folded block that it is in.
    std::optional<std::size_t> nearestTo(const std::string& role) const;
    /// One further along the pass, or back; or the nearest of the other column. The box itself at the edge.
    std::size_t neighbour(std::size_t box, int along, int across) const;
};

/// What the layout needs to know of words and letters.
struct ArchitectureText {
    std::function<QString(const analysis::ArchitectureBlock&)> title;
    /// Letters, and numbers where there are any, in lines below each other.
    std::function<QStringList(const analysis::FlowingTensor&)> tensor;
    QString tie; ///< on the line between tied weights
    std::function<double(const QString&)> width;
    double lineHeight = 16;
};

/// The same in two lines, where one is too long.
QStringList inTwoLines(const QStringList& tensor);

/// `architecture` outlives the layout. `unfolded` holds roles.
ArchitectureLayout layOutArchitecture(const analysis::Architecture& architecture,
                                      const std::set<std::string>& unfolded, const ArchitectureText& text);

} // namespace headscope::widgets
