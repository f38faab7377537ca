#pragma once

#include <QByteArray>
#include <QEvent>
#include <QObject>
#include <QPointer>
#include <QSize>
#include <QTimer>

#include "app/window/docks/widget_geometry.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

class QMainWindow;

namespace headscope::app {

class PanelPlaces;

/// How a window looks besides what it shows: its panels to the pixel, and what stands inside. Numbers that
/// come late, and a window that is made larger by the desktop, move all of it: what is put back is put back
/// again and again, until somebody touches the window.
class KeptLayout : public QObject {
    Q_OBJECT

  public:
    struct Look {
        QSize size;        ///< of the window; empty: any, as panels fit themselves in
        QByteArray panels; ///< as QMainWindow writes it; empty: they stay
        WidgetGeometry::Places inside;
        std::vector<std::string> standing = {}; ///< which panels stand where by then; empty: not known
    };

    /// All of them outlive this; the window has its panels. `version` is that of the layouts.
    KeptLayout(QMainWindow* window, const PanelPlaces* panels, int version);

    Look look() const;
    /// Panels that are opened or closed meanwhile stay so.
    void keep(Look look);
    void release();

    /// It stands as it should, and is kept once all that it shows is there.
    void expectRestored(Look look);
    void keepAwaited();
    void forgetAwaited();
    /// Panels are the person's own from now on: nobody puts them where those that are awaited stood.
    void userMovedPanels();
    /// A hand moved some while one was awaited.
    bool arePanelsLeft() const { return awaited_ && awaited_->panels.isEmpty(); }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void expect();
    void apply();
    void applyPanels();
    void watchHand(QEvent::Type type);
    bool isInWindow(const QObject* watched) const;

    QMainWindow* window_;
    const PanelPlaces* panels_;
    int version_;
    WidgetGeometry inside_;
    std::optional<Look> wanted_;        ///< as long as nobody touches the window
    std::vector<std::string> standing_; ///< panels, when it was asked for
    QByteArray reached_;                ///< how near to it the panels came
    std::map<QByteArray, int> moved_;   ///< how often they were put right from there
    std::optional<Look> awaited_;       ///< of a session, until what it shows is there
    std::vector<std::string> touched_;  ///< panels, when a hand came to them last
    QTimer soon_;
    QTimer landing_; ///< as long as it runs the desktop may still give the window its size
};

} // namespace headscope::app
