#pragma once

#include <QDialog>

#include "app/models/reading_trials.h"

#include <filesystem>
#include <vector>

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QPushButton;
class QSpinBox;
class QTimer;

namespace headscope::app {

/// Asks for settings that a bare checkpoint lacks, with only the possible answers. Nothing is preselected;
/// each answer shows the mean log-probability of a trial decoding with it.
class MissingSettingsDialog : public QDialog {
    Q_OBJECT

  public:
    MissingSettingsDialog(const std::filesystem::path& model,
                          const std::vector<trace::MissingSetting>& settings, QWidget* parent);

    const ModelSettings& answers() const { return answers_; }
    /// The user wants the answers written to headscope.json, for everybody who opens this model.
    bool writesSidecar() const;
    void addTrial(const ModelSettings& way, const std::optional<engine::Trial>& trial);

  Q_SIGNALS:
    /// Ways to read the model that are still to be tried, in this order; replaces earlier requests.
    void trialsWanted(const std::vector<headscope::app::ModelSettings>& ways);

  private:
    struct Question {
        trace::MissingSetting setting;
        QComboBox* choice = nullptr; ///< for questions with a list of values
        QSpinBox* id = nullptr;      ///< for questions that ask for a token id
        QLabel* hint = nullptr;      ///< trial results of the choice
    };

    QGridLayout* askAll(const std::vector<trace::MissingSetting>& settings);
    QSpinBox* idField(const trace::MissingSetting& setting);
    QComboBox* choiceField(const trace::MissingSetting& setting);
    QLabel* hintLabel();
    void offerSidecar(const std::filesystem::path& model);
    Question ask(const trace::MissingSetting& setting, QGridLayout& grid, int row);
    void takeAnswers();
    void wantTrials();
    void showHints();
    QString shownAnswer(const Question& question, int index) const;
    QString hint(const Question& question) const;
    QString sentenceOfTrials() const;
    QString stillOpen() const;

    std::vector<Question> questions_;
    ModelSettings answers_;
    std::vector<ModelSettings> ways_;
    ReadingTrials trials_;
    QTimer* settle_;
    QLabel* says_;
    QCheckBox* write_;
    QPushButton* open_;
};

} // namespace headscope::app
