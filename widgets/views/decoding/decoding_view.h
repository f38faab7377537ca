#pragma once

#include "widgets/view.h"

namespace headscope::widgets {

class DecodingEditor;

/// How the next tokens are chosen; decodes again at once.
class DecodingView : public View {
    Q_OBJECT

  public:
    explicit DecodingView(QWidget* parent = nullptr);

    void refresh() override;

    bool hasFigure() const override;
    QString whyEmpty() const override;
    std::optional<FigureBlocks> figureBlocks() const override;
    FigureText figureText() const override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    trace::FigureData figureData() const override;

  private:
    DecodingEditor* editor_;
};

} // namespace headscope::widgets
