# Finds QCustomPlot for Qt 6 and makes the target headscope_qcustomplot. Distributions name the library differently, and some have
# only that for Qt 5, which can be linked but not be run beside Qt 6.
add_library(headscope_qcustomplot INTERFACE)
if(NOT QCUSTOMPLOT_LIBRARY)
  find_package(QCustomPlotQt6 QUIET)
endif()
if(QCustomPlotQt6_FOUND)
  target_link_libraries(headscope_qcustomplot INTERFACE QCustomPlotQt6::QCustomPlotQt6)
  return()
endif()
find_library(QCUSTOMPLOT_LIBRARY NAMES QCustomPlotQt6 qcustomplot-qt6 qcustomplotqt6 QCustomPlot qcustomplot)
find_path(QCUSTOMPLOT_INCLUDE qcustomplot.h PATH_SUFFIXES qcustomplot)
if(NOT QCUSTOMPLOT_LIBRARY OR NOT QCUSTOMPLOT_INCLUDE)
  message(FATAL_ERROR "QCustomPlot for Qt 6 was not found. On Debian and Ubuntu: apt install libqcustomplot-dev. Elsewhere install it, or "
                      "name it: cmake -DQCUSTOMPLOT_LIBRARY=FILE -DQCUSTOMPLOT_INCLUDE=FOLDER. "
                      "-DHEADSCOPE_WINDOW=OFF builds headscope-cli without it.")
endif()
file(STRINGS ${QCUSTOMPLOT_LIBRARY} OTHER_QT REGEX "libQt[45][A-Za-z]*\\.so" LIMIT_COUNT 1)
if(OTHER_QT)
  set(FOUND ${QCUSTOMPLOT_LIBRARY})
  unset(QCUSTOMPLOT_LIBRARY CACHE) # another one may be installed the next time
  message(FATAL_ERROR "This QCustomPlot is not for Qt 6, but for another version of Qt. Found: ${FOUND}. Install QCustomPlot for "
                      "Qt 6, or build it, and name it: cmake -DQCUSTOMPLOT_LIBRARY=FILE. -DHEADSCOPE_WINDOW=OFF builds "
                      "headscope-cli without it.")
endif()
target_include_directories(headscope_qcustomplot SYSTEM INTERFACE ${QCUSTOMPLOT_INCLUDE})
target_compile_definitions(headscope_qcustomplot INTERFACE QCUSTOMPLOT_USE_LIBRARY)
target_link_libraries(headscope_qcustomplot INTERFACE ${QCUSTOMPLOT_LIBRARY} Qt6::PrintSupport)
