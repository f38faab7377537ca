#pragma once

#include <QWidget>

#include "model/trace/intervention.h"
#include "model/trace/model_summary.h"

#include <memory>

class QComboBox;

namespace headscope::widgets {

/// Selects a head of a model by kind, layer and head, counting from 0 as in addresses. Kinds that the model
/// lacks are omitted.
class HeadPicker : public QWidget {
    Q_OBJECT

  public:
    HeadPicker(std::shared_ptr<const trace::ModelSummary> model, const trace::HeadAddress& head,
               QWidget* parent = nullptr);

    trace::HeadAddress head() const;

  Q_SIGNALS:
    void headChanged();

  private:
    void fillLayersAndHeads();

    std::shared_ptr<const trace::ModelSummary> model_;
    QComboBox* kind_;
    QComboBox* layer_;
    QComboBox* head_;
};

/// Selects a sublayer of a model, including feed-forward networks.
class SublayerPicker : public QWidget {
    Q_OBJECT

  public:
    SublayerPicker(std::shared_ptr<const trace::ModelSummary> model, const trace::SublayerAddress& sublayer,
                   QWidget* parent = nullptr);

    trace::SublayerAddress sublayer() const;

  private:
    void fillLayers();

    std::shared_ptr<const trace::ModelSummary> model_;
    QComboBox* kind_;
    QComboBox* layer_;
};

} // namespace headscope::widgets
