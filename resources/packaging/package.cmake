# cmake --workflow --preset deb: a package for the release of Debian on which it is made; --preset archive: a folder that starts
# on releases that are as new or newer, with all libraries that it needs.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON) # packing would compile the tests
set(CPACK_PACKAGE_NAME headscope)
set(CPACK_PACKAGE_VENDOR Headscope)
set(CPACK_PACKAGE_CONTACT "Headscope maintainers <headscope@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "look inside a trained transformer")
set(CPACK_PACKAGE_DESCRIPTION "Headscope opens a transformer, decodes a sentence token by token, and shows
what every attention head of every layer did, with the numbers that the model
computed. Models are bundled; others are opened from files. The command line
needs no display.")
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib/headscope)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "fonts-dejavu-core, libopenblas0-pthread, qt6-svg-plugins | libqt6svg6 (<< 6.5), qt6-wayland")
# The libraries that it depends on have other names in other releases.
cmake_host_system_information(RESULT RELEASE QUERY DISTRIB_ID DISTRIB_VERSION_ID)
string(REPLACE ";" "" RELEASE "${RELEASE}")
if(RELEASE)
  set(CPACK_DEBIAN_PACKAGE_RELEASE 1~${RELEASE})
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_FILE_NAME headscope-${PROJECT_VERSION}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/archive.cmake)
if(HEADSCOPE_WINDOW)
  find_package(Qt6 6.4 REQUIRED COMPONENTS Core)
  set(CPACK_HEADSCOPE_QT_PLUGINS ${QT6_INSTALL_PREFIX}/${QT6_INSTALL_PLUGINS})
endif()
include(CPack)
