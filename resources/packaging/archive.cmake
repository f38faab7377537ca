# CPack runs it before it packs: completes the installed tree of an archive, so that it starts where neither Qt nor LibTorch is.
# All libraries but glibc, which is as old as that of the system on which the archive is made, are copied beside Headscope's
# own and find each other by $ORIGIN.
cmake_minimum_required(VERSION 3.25)
if(NOT CPACK_GENERATOR STREQUAL "TGZ")
  return()
endif()
foreach(TOOL patchelf dpkg-query)
  find_program(PATH_OF_${TOOL} ${TOOL})
endforeach()
if(NOT PATH_OF_patchelf)
  message(FATAL_ERROR "An archive needs patchelf, which writes into libraries where they find others: apt-get install patchelf")
endif()

set(ROOT ${CPACK_TEMPORARY_INSTALL_DIRECTORY})
set(LIBRARIES ${ROOT}/lib/headscope)
set(QT_PLUGINS ${LIBRARIES}/plugins)
file(GLOB PROGRAMS ${ROOT}/bin/headscope*)
file(GLOB MODULES ${LIBRARIES}/*.so)

# Both platforms that the programs draw on, pictures and icons of SVG, and the keys that type accents.
if(EXISTS ${ROOT}/bin/headscope)
  foreach(PLUGIN platforms/libqxcb platforms/libqoffscreen iconengines/libqsvgicon imageformats/libqsvg
                 platforminputcontexts/libcomposeplatforminputcontextplugin platforminputcontexts/libibusplatforminputcontextplugin)
    cmake_path(GET PLUGIN PARENT_PATH KIND)
    file(COPY ${CPACK_HEADSCOPE_QT_PLUGINS}/${PLUGIN}.so DESTINATION ${QT_PLUGINS}/${KIND})
    list(APPEND PLUGINS ${QT_PLUGINS}/${PLUGIN}.so)
  endforeach()
  file(WRITE ${ROOT}/bin/qt.conf "[Paths]\nPrefix=..\nPlugins=lib/headscope/plugins\n")
endif()

file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${PROGRAMS} MODULES ${MODULES} ${PLUGINS}
  RESOLVED_DEPENDENCIES_VAR FOUND UNRESOLVED_DEPENDENCIES_VAR MISSING CONFLICTING_DEPENDENCIES_PREFIX SEVERAL
  PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread|resolv|util|anl|mvec|nsl|BrokenLocale)\\.so")
if(MISSING)
  message(FATAL_ERROR "Libraries that the archive needs are missing: ${MISSING}")
endif()
foreach(NAME ${SEVERAL_FILENAMES}) # in several folders: the first is the one that is loaded
  list(GET SEVERAL_${NAME} 0 LIBRARY)
  list(APPEND FOUND ${LIBRARY})
endforeach()
list(FILTER FOUND EXCLUDE REGEX "^${LIBRARIES}/")
foreach(LIBRARY ${FOUND})
  cmake_path(GET LIBRARY FILENAME NAME)
  file(REAL_PATH ${LIBRARY} FILE)
  file(COPY_FILE ${FILE} ${LIBRARIES}/${NAME})
  list(APPEND COPIED ${LIBRARIES}/${NAME})
  string(REGEX REPLACE "^/usr/lib/" "/lib/" SHORT ${FILE}) # packages of Debian 12 name some files so
  list(APPEND FILES ${FILE} ${SHORT})
endforeach()
foreach(FILE ${COPIED})
  file(CHMOD ${FILE} PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
endforeach()
execute_process(COMMAND ${PATH_OF_patchelf} --set-rpath "\$ORIGIN" ${COPIED} COMMAND_ERROR_IS_FATAL ANY)
if(PLUGINS)
  execute_process(COMMAND ${PATH_OF_patchelf} --set-rpath "\$ORIGIN/../.." ${PLUGINS} COMMAND_ERROR_IS_FATAL ANY)
endif()

# Their licences.
if(PATH_OF_dpkg-query)
  execute_process(COMMAND ${PATH_OF_dpkg-query} --search ${FILES} OUTPUT_VARIABLE OWNERS ERROR_QUIET)
  string(REGEX MATCHALL "[^\n:]+:[^\n]*" OWNERS "${OWNERS}")
  list(TRANSFORM OWNERS REPLACE ":.*" "")
  list(REMOVE_DUPLICATES OWNERS)
  file(MAKE_DIRECTORY ${ROOT}/share/doc/headscope/libraries)
  foreach(OWNER ${OWNERS})
    if(EXISTS /usr/share/doc/${OWNER}/copyright)
      file(REAL_PATH /usr/share/doc/${OWNER}/copyright COPYRIGHT)
      file(COPY_FILE ${COPYRIGHT} ${ROOT}/share/doc/headscope/libraries/${OWNER})
    endif()
  endforeach()
endif()
