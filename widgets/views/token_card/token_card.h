#pragma once

#include "widgets/explained.h"
#include "widgets/selection.h"
#include "widgets/view.h"

#include <cstddef>
#include <optional>
#include <vector>

class QLabel;
class QPushButton;

namespace headscope::widgets {

class ColumnTable;

/// What a token adds to the class that a person looks at, and by which pooled features.
class TokenCard : public View {
    Q_OBJECT

  public:
    /// `selection` must outlive the view.
    explicit TokenCard(Selection* selection, QWidget* parent = nullptr);

    /// Of the token, those that add or take most first.
    struct Feature {
        std::size_t feature = 0;
        double value = 0;
        double added = 0; ///< value times weight
    };
    const std::vector<Feature>& features() const { return features_; }
    /// Pointed at or pinned, else the one that tells most; empty: nothing is known.
    std::optional<std::size_t> token() const { return token_; }

    std::vector<trace::Wanted> questions() const override;
    void refresh() override;
    void setSpaceMarksShown(bool shown) override;
    QString whyEmpty() const override;

    std::optional<FigureBlocks> figureBlocks() const override;
    FigureText figureText() const override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    bool hasFigure() const override { return token_.has_value(); }
    trace::FigureData figureData() const override;

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void showToken();
    double contribution() const;
    QString name() const;
    QString className() const;

    Selection* selection_;
    ReadAnswer answer_;
    std::optional<std::size_t> token_;
    std::vector<Feature> features_;
    bool isWhole_ = false; ///< all features are listed
    QLabel* title_;
    QLabel* number_;
    QLabel* words_;
    ColumnTable* table_;
    QPushButton* more_;
};

} // namespace headscope::widgets
