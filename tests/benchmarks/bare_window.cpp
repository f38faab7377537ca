#include <QApplication>
#include <QWidget>

#include <cstdio>

/// The least a Qt program can do: a window that says when it was painted and ends. What start-up is measured
/// against.
class BareWindow : public QWidget {
  protected:
    void paintEvent(QPaintEvent*) override {
        std::puts("first paint");
        std::fflush(stdout);
        QCoreApplication::quit();
    }
};

int main(int argumentCount, char** arguments) {
    QApplication application(argumentCount, arguments);
    BareWindow window;
    window.resize(1440, 900);
    window.show();
    return QApplication::exec();
}
