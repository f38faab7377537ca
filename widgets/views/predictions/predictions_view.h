#pragma once

#include "widgets/selection.h"
#include "widgets/view.h"
#include "widgets/words/put_in.h"

#include <memory>
#include <optional>

class QPushButton;

namespace headscope::widgets {

class PredictionTracks;
class TextBand;

/// What an encoder alone predicts: the candidates of masked tokens, which can be put in the text, or how
/// probably each token was replaced; below, the text before and after.
class PredictionsView : public View {
    Q_OBJECT

  public:
    /// `selection` must outlive the view.
    explicit PredictionsView(Selection* selection, QWidget* parent = nullptr);

    void setRun(std::shared_ptr<const trace::Run> run) override;
    void setSpaceMarksShown(bool shown) override;
    QWidget* takesKeys() const override;
    QString whyEmpty() const override;

    std::optional<FigureBlocks> figureBlocks() const override;
    FigureText figureText() const override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    bool hasFigure() const override;
    trace::FigureData figureData() const override;

  public Q_SLOTS:
    /// Writes the selected candidate into the text, which is predicted again.
    void putChosenIn();

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    void showChosen();
    std::optional<PutIn> wanted() const;
    QString caption() const;

    std::shared_ptr<const trace::Run> run_;
    std::optional<PutIn> last_; ///< that the shown run is of, if it was put in here
    PredictionTracks* tracks_;
    QPushButton* put_;
    TextBand* band_;
};

} // namespace headscope::widgets
