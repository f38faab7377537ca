#pragma once

#include <QImage>
#include <QPushButton>

#include "app/models/bundled_models.h"

class QLabel;
class QVBoxLayout;

namespace headscope::app {

/// A bundled model: a map of one of its heads, its name, what it does, its size and its score.
class ModelCard : public QPushButton {
    Q_OBJECT

  public:
    ModelCard(const BundledModel& model, QWidget* parent);

    /// Its weights, 255 for the largest; null if there is no file of them.
    const QImage& map() const { return map_; }
    /// Every text as it has room without being cut.
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    /// The cells of the map.
    QRect mapRect() const;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    QLabel* add(const QString& words);
    void fitBadge();
    int badgeHeight() const;

    QString badge_;
    QImage map_;
    int side_;            ///< of the room of the map
    QVBoxLayout* column_; ///< of the texts
    std::vector<QLabel*> labels_;
};

} // namespace headscope::app
