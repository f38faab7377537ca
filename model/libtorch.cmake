# Finds LibTorch where Torch_DIR or CMAKE_PREFIX_PATH says, or that of the distribution, and makes the target
# headscope_libtorch. Refuses what could be compiled but not linked or loaded.

# find_package fails for a build for CUDA or ROCm without its compiler, which is not needed: the configuration is looked at first.
if(Torch_DIR)
  set(TORCH_CONFIG ${Torch_DIR}/TorchConfig.cmake)
  if(NOT EXISTS ${TORCH_CONFIG})
    message(FATAL_ERROR "There is no LibTorch where Torch_DIR says. Expected: ${TORCH_CONFIG}. Name the folder of that file, in PyTorch's "
                        "own archives FOLDER/share/cmake/Torch.")
  endif()
endif()
cmake_path(CONVERT "$ENV{CMAKE_PREFIX_PATH}" TO_CMAKE_PATH_LIST PREFIXES_OF_ENVIRONMENT)
foreach(PREFIX ${Torch_ROOT} $ENV{Torch_ROOT} ${CMAKE_PREFIX_PATH} ${PREFIXES_OF_ENVIRONMENT} ${CMAKE_SYSTEM_PREFIX_PATH})
  foreach(FOLDER "" share/cmake/Torch lib/cmake/Torch lib64/cmake/Torch lib/${CMAKE_LIBRARY_ARCHITECTURE}/cmake/Torch)
    if(NOT TORCH_CONFIG AND EXISTS ${PREFIX}/${FOLDER}/TorchConfig.cmake)
      set(TORCH_CONFIG ${PREFIX}/${FOLDER}/TorchConfig.cmake)
    endif()
  endforeach()
endforeach()
if(NOT TORCH_CONFIG)
  message(FATAL_ERROR "LibTorch was not found. On Debian and Ubuntu: apt install libtorch-dev. Elsewhere install LibTorch, and where "
                      "it is in a folder of its own: cmake -DTorch_DIR=FOLDER/share/cmake/Torch")
endif()
file(STRINGS ${TORCH_CONFIG} OLD_ABI REGEX "_GLIBCXX_USE_CXX11_ABI=0" LIMIT_COUNT 1)
if(OLD_ABI)
  message(FATAL_ERROR "This LibTorch is built with the old C++ ABI, which is incompatible with Qt and the other libraries. Found: ${TORCH_CONFIG}. "
                      "Use an archive for the C++11 ABI (cxx11-abi in its name), or LibTorch 2.7 or newer.")
endif()

cmake_path(GET TORCH_CONFIG PARENT_PATH TORCH_FOLDER)
get_filename_component(TORCH_PREFIX ${TORCH_FOLDER}/../../.. ABSOLUTE)
add_library(headscope_libtorch INTERFACE)
if(EXISTS ${TORCH_PREFIX}/lib/libtorch_cuda.so OR EXISTS ${TORCH_PREFIX}/lib/libtorch_hip.so)
  message(STATUS "LibTorch in ${TORCH_PREFIX} is a build for CUDA or ROCm: its libraries for the CPU are linked")
  set(TORCH_CPU ${TORCH_PREFIX}/lib/libtorch_cpu.so)
  target_include_directories(headscope_libtorch SYSTEM INTERFACE ${TORCH_PREFIX}/include
                                                                 ${TORCH_PREFIX}/include/torch/csrc/api/include)
  target_link_libraries(headscope_libtorch INTERFACE ${TORCH_CPU} ${TORCH_PREFIX}/lib/libc10.so)
else()
  set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON) # the tests, in another folder, link it too
  set(CMAKE_MESSAGE_LOG_LEVEL ERROR) # of libraries that are not needed it warns that they are missing
  find_package(Torch REQUIRED PATHS ${TORCH_FOLDER} NO_DEFAULT_PATH)
  unset(CMAKE_MESSAGE_LOG_LEVEL)
  set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL OFF)
  target_include_directories(headscope_libtorch SYSTEM INTERFACE ${TORCH_INCLUDE_DIRS})
  target_compile_options(headscope_libtorch INTERFACE ${TORCH_CXX_FLAGS})
  target_link_libraries(headscope_libtorch INTERFACE ${TORCH_LIBRARIES})
  get_target_property(TORCH_CPU torch_cpu LOCATION)
endif()
execute_process(COMMAND ldd ${TORCH_CPU} OUTPUT_VARIABLE LOADED ERROR_QUIET)
string(REGEX MATCHALL "[^ \t\n]+ => not found" MISSING "${LOADED}")
if(MISSING)
  string(REPLACE " => not found" "" MISSING "${MISSING}")
  list(REMOVE_DUPLICATES MISSING)
  list(JOIN MISSING ", " MISSING)
  message(FATAL_ERROR "This LibTorch cannot be loaded: libraries that it needs are missing. Where: ${TORCH_CPU}. Missing: ${MISSING}. "
                      "Install them beside it or name their folder in LD_LIBRARY_PATH, or use a build for the CPU.")
endif()
