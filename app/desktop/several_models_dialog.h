#pragma once

#include <QDialog>

#include "model/files/weights_search.h"

#include <filesystem>
#include <vector>

class QTreeWidget;

namespace headscope::app {

/// Asks which of the models in a folder to open, such as the checkpoints of a training. The newest one is
/// preselected.
class SeveralModelsDialog : public QDialog {
    Q_OBJECT

  public:
    /// `models` must not be empty.
    SeveralModelsDialog(const std::filesystem::path& folder, const std::vector<files::ModelInFolder>& models,
                        QWidget* parent);

    /// The path of the selected model.
    QString chosen() const;

  private:
    void fill(const std::filesystem::path& folder, const std::vector<files::ModelInFolder>& models);

    QTreeWidget* list_;
};

} // namespace headscope::app
