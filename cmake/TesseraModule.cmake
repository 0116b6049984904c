# SPDX-License-Identifier: MIT
# One target a module. Warnings and sanitizers are ours alone: nothing leaks into a packager's flags.

add_library(tessera_options INTERFACE)
target_compile_features(tessera_options INTERFACE cxx_std_20)
target_compile_options(tessera_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
if(TESSERA_SANITIZE)
  target_compile_options(tessera_options INTERFACE -fsanitize=${TESSERA_SANITIZE}
                         -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  target_link_options(tessera_options INTERFACE -fsanitize=${TESSERA_SANITIZE})
endif()

# tessera_module(NAME LINKS ... PRIVATE_LINKS ...): a static library of src/NAME/*.cpp
function(tessera_module name)
  cmake_parse_arguments(arg "" "" "LINKS;PRIVATE_LINKS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  add_library(tessera_${name} STATIC ${sources})
  target_include_directories(tessera_${name} PUBLIC ${PROJECT_SOURCE_DIR}/include
                             PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(tessera_${name} PUBLIC ${arg_LINKS} PRIVATE tessera_options ${arg_PRIVATE_LINKS})
  target_compile_features(tessera_${name} PUBLIC cxx_std_20)
endfunction()

# One translation unit a size, so that sizes compile side by side.
function(tessera_fast_sizes target)
  foreach(size ${ARGN})
    string(REPLACE "x" ";" extent ${size})
    list(GET extent 0 WIDTH)
    list(GET extent 1 HEIGHT)
    configure_file(${PROJECT_SOURCE_DIR}/src/search/fast_size.cpp.in
                   ${PROJECT_BINARY_DIR}/generated/search/fast_size_${size}.cpp @ONLY)
    target_sources(${target} PRIVATE ${PROJECT_BINARY_DIR}/generated/search/fast_size_${size}.cpp)
    string(APPEND SIZE_LIST "TESSERA_FAST_SIZE(${WIDTH}, ${HEIGHT})\n")
  endforeach()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/search/fast_sizes.inc CONTENT "${SIZE_LIST}")
  target_include_directories(${target} PRIVATE ${PROJECT_BINARY_DIR}/generated)
endfunction()

# The git revision, read at configure time; a release tarball has none.
function(tessera_version target)
  execute_process(COMMAND git -C ${PROJECT_SOURCE_DIR} rev-parse --short HEAD
                  OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT revision)
    set(revision "unknown")
  endif()
  set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/report/version.cpp APPEND PROPERTY COMPILE_DEFINITIONS
               TESSERA_VERSION="${PROJECT_VERSION}" TESSERA_REVISION="${revision}"
               TESSERA_COMPILER="${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
endfunction()

# The page's files as strings of the program; configured again when one changes.
function(tessera_page target)
  set(folder ${PROJECT_SOURCE_DIR}/src/serve/page)
  file(GLOB files CONFIGURE_DEPENDS ${folder}/*)
  set(type_html "text/html")
  set(type_css "text/css")
  set(type_js "text/javascript")
  set(type_svg "image/svg+xml")
  set(entries "")
  foreach(file ${files})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    get_filename_component(name ${file} NAME)
    string(REGEX REPLACE ".*\\." "" extension ${name})
    if(name STREQUAL "index.html")
      set(name "")
    endif()
    file(READ ${file} content)
    string(APPEND entries "    {\"/${name}\", \"${type_${extension}}; charset=utf-8\", R\"page_file(${content})page_file\"},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/serve/page_files.cpp @ONLY CONTENT
"// Made from src/serve/page.
#include \"serve/page_files.hpp\"
namespace tessera {
namespace {
constexpr PageFile files[] = {
@entries@};
}  // namespace
std::span<const PageFile> page_files() {
  return files;
}
}  // namespace tessera
")
  target_sources(${target} PRIVATE ${PROJECT_BINARY_DIR}/generated/serve/page_files.cpp)
endfunction()
