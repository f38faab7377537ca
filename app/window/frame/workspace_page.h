#pragma once

#include <QWidget>

#include "app/window/frame/window_width.h"
#include "widgets/views/places.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

class QButtonGroup;
class QScrollArea;
class QSplitter;
class QStackedWidget;
class QToolButton;

namespace headscope::app {

class Card;
class HeadBar;
class CardArea;
class SlideOver;
class ViewSlot;

/// One workspace: a panel at the left, a canvas or cards, a drawer below and cards at the right, as far as
/// views stand there (widgets/views/places.def).
class WorkspacePage : public QWidget {
    Q_OBJECT

  public:
    using Views = std::map<std::string, widgets::View*>;

    /// All views outlive this. `head` stands above the canvas; may be null.
    WorkspacePage(const std::string& workspace, const Views& views, HeadBar* head, QWidget* parent);

    /// Takes its views from other workspaces.
    void take();
    bool has(const std::string& view) const { return slots_.contains(view) || areaSlots_.contains(view); }
    /// Not closed, folded or behind another view.
    bool isOpen(const std::string& view) const;
    void open(const std::string& view);
    /// Canvas and panel stay as they are.
    void close(const std::string& view);
    /// The view on the canvas, or the card with the keys in it.
    std::string front() const;
    /// All its views are seen together.
    bool isOfCards() const { return area_ != nullptr; }
    /// The open page of the drawer; empty: it is closed.
    const std::string& drawn() const { return drawn_; }
    /// Hides all but the canvas, or shows it again.
    void setMaximised(bool on);
    /// Panel, canvas, inspector and drawer, as far as they are seen.
    std::vector<QWidget*> regions() const;
    /// Hides what the model lacks; the reason if that is all.
    QString follow(const widgets::DocumentState& document);

    /// The view on the canvas, the open page of the drawer and the folded cards, a line each, such as "heads
    /// canvas heatmap".
    std::vector<std::string> words() const;
    void set(const std::vector<std::string>& words);
    QByteArray sizes() const;
    void setSizes(const QByteArray& sizes);
    /// As at the first start in a window of this width.
    void reset();

  Q_SIGNALS:
    void changed();

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    using Region = widgets::Place::Region;
    QWidget* newPanel();
    QWidget* newCanvas(HeadBar* head);
    /// Beside the buttons of the canvas: the line of the view that is seen, and the export of its picture;
    /// null where no view has one.
    QWidget* newBars();
    void showBar();
    /// Adds the canvas views of a region to the canvas, and a button for each to `buttons`.
    void addModes(Region region, QWidget* buttons);
    /// In the place of a canvas.
    QWidget* newCards();
    QWidget* newDrawer();
    QScrollArea* newInspector();
    QString titleOf(const std::string& view, const widgets::DocumentState* document = nullptr) const;
    ViewSlot* newSlot(const widgets::Place& place, QWidget* parent);
    /// The slot of a view, with those of the views that stand beside it.
    QWidget* withOthersBeside(const widgets::Place& place, QWidget* parent);
    QToolButton* newButton(const std::string& page, const QString& title);
    QToolButton* addToDrawer(const std::string& page, QWidget* content, const QString& title);
    void showDrawer(const std::string& page);
    void closeDrawer();
    void showDrawersBar();
    bool slides() const;
    QRect drawersPlace() const;
    int drawersBar() const;   ///< height
    int closedDrawer() const; ///< the same; 0 where the bar is not seen
    void resizeDrawer(int height);
    /// Decides how wide panel and inspector are. In a narrow window the inspector is a page of the drawer,
    /// which covers the canvas.
    void setWidth(WindowWidth width);
    void resetSizes(); ///< of panel and inspector

    std::string workspace_;
    const Views views_;
    std::vector<widgets::Place> places_;     ///< of this workspace
    std::map<std::string, ViewSlot*> slots_; ///< without cards that are in the drawer, too
    std::map<std::string, ViewSlot*> areaSlots_;
    std::map<std::string, QWidget*> pages_;       ///< of canvas and drawer, by the view that they are of
    std::map<std::string, QToolButton*> buttons_; ///< of canvas and drawer
    std::map<std::string, Card*> cards_;
    QSplitter* across_;
    QSplitter* down_;
    QWidget* modes_ = nullptr;             ///< buttons above the canvas
    std::map<std::string, QWidget*> bars_; ///< of views on the canvas
    QWidget* ofAll_ = nullptr;             ///< buttons in the panel
    QScrollArea* inspector_ = nullptr;     ///< null without cards
    bool hasSizes_ = false;                ///< kept from an earlier start: the first layout leaves them
    std::optional<WindowWidth> width_;     ///< none before the first layout
    QButtonGroup* group_;                  ///< all buttons that choose a view of the canvas
    QStackedWidget* canvas_;
    CardArea* area_ = nullptr;     ///< null: it has a canvas
    std::vector<QWidget*> hidden_; ///< beside the maximised canvas
    QStackedWidget* drawer_ = nullptr;
    SlideOver* slide_;
    std::string front_;
    std::string drawn_; ///< the page of the drawer; empty: closed
};

} // namespace headscope::app
