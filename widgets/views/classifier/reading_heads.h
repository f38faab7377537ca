#pragma once

#include <QPixmap>
#include <QWidget>

#include "widgets/selection.h"
#include "widgets/tables/known_heads.h"
#include "widgets/tiles/head_thumbnails.h"
#include "widgets/tiles/tile_view.h"

#include <memory>
#include <optional>
#include <vector>

namespace headscope::widgets {

/// The heads of an encoder that read a token most, beside each other: small maps with the token's column
/// marked, and the mean weight that the token gets beside that of uniform attention.
class ReadingHeads : public QWidget {
    Q_OBJECT

  public:
    /// `selection` must outlive this.
    explicit ReadingHeads(Selection* selection, QWidget* parent);

    struct Head {
        trace::HeadAddress address;
        double weight = 0;  ///< mean over the rows
        double uniform = 0; ///< of a head that reads all keys alike
    };
    /// `statistics` may be null. A run whose maps are not stored needs tiles.
    void setHeads(std::shared_ptr<const trace::Run> run, const KnownStatistics& statistics,
                  std::optional<std::size_t> token);
    /// Those that are drawn: all by address, or as many as there is room for, those that read it most.
    const std::vector<Head>& heads() const { return heads_; }
    /// Small maps that are wanted and not known.
    std::vector<TileWhat> missingTiles() const;
    void setTile(const trace::HeadAddress& head, MapTile tile);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    QRect mapArea(std::size_t place) const;

  Q_SIGNALS:
    /// Of the selected head.
    void opened();
    /// Other heads are drawn: missingTiles() may be others.
    void shownChanged();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void choose();
    double itemWidth() const;
    std::optional<std::size_t> placeAt(QPoint position) const;
    QString inWords(const Head& head) const;

    Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    std::optional<std::size_t> token_;
    std::vector<Head> all_; ///< by address
    std::vector<Head> heads_;
    HeadThumbnails maps_;
};

} // namespace headscope::widgets
