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

set(standard_headers <algorithm> <array> <atomic> <bit> <chrono> <cmath> <cstdint> <cstring> <filesystem>
    <fstream> <functional> <map> <memory> <mutex> <numeric> <optional> <set> <span> <sstream> <string> <thread>
    <unordered_map> <vector>)

# tessera_precompiled(TARGET OWNER [HEADERS...]): before each source of TARGET come headers that the compiler
# reads once, for OWNER, whose options must be the same. Sources include what they use nevertheless: with
# a compiler cache they are compiled without.
function(tessera_precompiled target owner)
  if(NOT TESSERA_PRECOMPILE)
    return()
  elseif(target STREQUAL owner)
    target_precompile_headers(${target} PRIVATE ${standard_headers} ${ARGN})
  else()
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()

# What owns the headers of all modules: it defines no macro, as one that a module lacks would make them useless there.
function(tessera_standard_headers)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/standard_headers.cpp CONTENT "// Only for headers.\n")
  add_library(tessera_standard_headers OBJECT ${PROJECT_BINARY_DIR}/generated/standard_headers.cpp)
  target_link_libraries(tessera_standard_headers PRIVATE tessera_options Threads::Threads)
  tessera_precompiled(tessera_standard_headers tessera_standard_headers)
endfunction()

# tessera_module(NAME [COLD] FOLDERS ... HOT ... LINKS ... PRIVATE_LINKS ...): a static library of
# src/NAME/*.cpp and src/NAME/FOLDER/*.cpp. Private links are headers, or in tessera's own programs alone:
# who links an installed module does without them. Reading headers is most of the compiler's work, so it
# gets several sources at a time, except those that match HOT, whose code stays as it was measured.
# A COLD module calls searches but has no loop over nodes: the preset of a release optimizes it less,
# which takes the compiler a fifth less time.
function(tessera_module name)
  cmake_parse_arguments(arg "COLD" "" "FOLDERS;HOT;LINKS;PRIVATE_LINKS" ${ARGN})
  set(folder ${PROJECT_SOURCE_DIR}/src/${name})
  list(TRANSFORM arg_FOLDERS REPLACE "(.+)" "${folder}/\\1/*.cpp")
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp ${arg_FOLDERS})
  list(FILTER sources EXCLUDE REGEX "/(main|fast_size)\\.cpp$")
  add_library(tessera_${name} STATIC ${sources})
  target_include_directories(tessera_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
                             $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                             $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(tessera_${name} PUBLIC ${arg_LINKS} PRIVATE $<BUILD_INTERFACE:tessera_options>)
  foreach(link ${arg_PRIVATE_LINKS})
    target_link_libraries(tessera_${name} PRIVATE $<BUILD_INTERFACE:${link}>)
  endforeach()
  set(batch 12)
  if(arg_COLD)
    set(batch 20)
    target_compile_options(tessera_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  set_target_properties(tessera_${name} PROPERTIES EXPORT_NAME ${name})
  set_target_properties(tessera_${name} PROPERTIES UNITY_BUILD ${TESSERA_UNITY} UNITY_BUILD_BATCH_SIZE ${batch})
  foreach(pattern ${arg_HOT})
    set(hot ${sources})
    list(FILTER hot INCLUDE REGEX "/${pattern}[^/]*\\.cpp$")
    set_source_files_properties(${hot} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endforeach()
  target_compile_features(tessera_${name} PUBLIC cxx_std_20)
  tessera_precompiled(tessera_${name} tessera_standard_headers)
endfunction()

# One translation unit a size, so that sizes compile side by side: fast_size.cpp compiled with
# another FAST_SIZE each time. All builds compile the same text, which a compiler cache then shares.
function(tessera_fast_sizes target)
  foreach(size ${ARGN})
    string(REPLACE "x" "," extent ${size})
    string(APPEND sizes "FAST_SIZE(${extent}) ")
    add_library(${target}_${size} OBJECT ${PROJECT_SOURCE_DIR}/src/search/kernels/fast_size.cpp)
    target_compile_definitions(${target}_${size} PRIVATE FAST_SIZE=${extent})
    target_include_directories(${target}_${size} PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${target}_${size} PRIVATE tessera_heuristic tessera_options)
    tessera_precompiled(${target}_${size} tessera_standard_headers)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_${size}>)
  endforeach()
  set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/search/kernels/subtree_search.cpp APPEND PROPERTY
               COMPILE_DEFINITIONS "FAST_SIZES=${sizes}")
endfunction()

# The census's loops over words, once for each instruction set; the program picks at run time.
function(tessera_census_kernels target)
  set(folder ${PROJECT_SOURCE_DIR}/src/census/kernels)
  set_property(SOURCE ${folder}/kernels_portable.cpp PROPERTY COMPILE_OPTIONS -O3 -Wno-psabi)
  # They have options of their own, so no headers precompiled with others.
  set_property(SOURCE ${folder}/kernels_portable.cpp ${folder}/kernels_avx2.cpp ${folder}/kernels_avx512.cpp
               PROPERTY SKIP_PRECOMPILE_HEADERS ON)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set(avx2 -O3 -Wno-psabi -mavx2 -mpopcnt -mbmi -mbmi2)
    set_property(SOURCE ${folder}/kernels_avx2.cpp PROPERTY COMPILE_OPTIONS ${avx2})
    set_property(SOURCE ${folder}/kernels_avx512.cpp PROPERTY COMPILE_OPTIONS ${avx2} -mavx512f
                 -mavx512bw -mavx512dq -mavx512vl -mavx512vpopcntdq -mprefer-vector-width=512)
    target_compile_definitions(${target} PRIVATE TESSERA_CENSUS_X86=1)
  else()
    set_property(SOURCE ${folder}/kernels_avx2.cpp ${folder}/kernels_avx512.cpp
                 PROPERTY HEADER_FILE_ONLY ON)
  endif()
endfunction()

# For programs that use MPI: leak reports name the frames of its plugins.
function(tessera_keep_plugins program)
  if(TESSERA_SANITIZE MATCHES "address" AND TESSERA_WITH_MPI)
    target_sources(${program} PRIVATE ${PROJECT_SOURCE_DIR}/tests/sanitizers/keep_plugins.cpp)
    target_link_options(${program} PRIVATE -Wl,--export-dynamic-symbol=dlclose)
  endif()
endfunction()

# The git revision; a release tarball has none, even if it is unpacked inside another repository. Configured
# again when it changes.
function(tessera_version target)
  if(EXISTS ${PROJECT_SOURCE_DIR}/.git)
    execute_process(COMMAND git -C ${PROJECT_SOURCE_DIR} rev-parse --short HEAD
                    OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    execute_process(COMMAND git -C ${PROJECT_SOURCE_DIR} rev-parse --path-format=absolute --git-path logs/HEAD
                    OUTPUT_VARIABLE log OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  if(NOT revision)
    set(revision "unknown")
  endif()
  if(EXISTS "${log}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${log})
  endif()
  set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/report/version.cpp APPEND PROPERTY COMPILE_DEFINITIONS
               TESSERA_VERSION="${PROJECT_VERSION}" TESSERA_REVISION="${revision}"
               TESSERA_COMPILER="${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
endfunction()

# A file of a page, with the pieces in it that pages share; configured again when it changes.
function(tessera_page_file variable file)
  set(common ${PROJECT_SOURCE_DIR}/src/report/page/common)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file} ${common}/transport.html)
  file(READ ${file} content)
  file(READ ${common}/transport.html transport)
  string(REPLACE "<!-- transport.html -->" "${transport}" content "${content}")
  set(${variable} "${content}" PARENT_SCOPE)
endfunction()

# The files of the served page as strings of the program.
function(tessera_served_page target)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/serve/page/*
       ${PROJECT_SOURCE_DIR}/src/report/page/common/*)
  list(FILTER files EXCLUDE REGEX "/transport\\.html$")
  set(type_html "text/html")
  set(type_css "text/css")
  set(type_js "text/javascript")
  set(type_svg "image/svg+xml")
  set(entries "")
  foreach(file ${files})
    get_filename_component(name ${file} NAME)
    string(REGEX REPLACE ".*\\." "" extension ${name})
    if(name STREQUAL "index.html")
      set(name "")
    endif()
    tessera_page_file(content ${file})
    string(APPEND entries "    {\"/${name}\", \"${type_${extension}}; charset=utf-8\", R\"page_file(${content})page_file\"},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/serve/page_files.cpp @ONLY CONTENT
"// Made from src/serve/page and src/report/page/common.
#include \"serve/http_server.hpp\"
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

# Man pages, made by the program from its table of options. Where what is built cannot be run there
# are none.
function(tessera_pages)
  if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
    message(STATUS "Cross-compiling without an emulator: no man pages")
    return()
  endif()
  set(folder ${PROJECT_BINARY_DIR}/pages/man1)
  string(TIMESTAMP date "%Y-%m-%d" UTC)  # SOURCE_DATE_EPOCH where it is set
  add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/pages.stamp
                     COMMAND ${CMAKE_COMMAND} -E rm -rf ${folder}  # pages of commands that no longer exist
                     COMMAND tessera --man-pages ${folder} ${date}
                     COMMAND ${CMAKE_COMMAND} -E touch ${PROJECT_BINARY_DIR}/pages.stamp
                     DEPENDS tessera COMMENT "Making man pages")
  add_custom_target(pages ALL DEPENDS ${PROJECT_BINARY_DIR}/pages.stamp)
  install(DIRECTORY ${folder} DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT program)
endfunction()

# A SHA-256 as a Content-Security-Policy names it: CMake has it in hexadecimal only.
function(tessera_base64_hash variable content)
  string(SHA256 hash "${content}")
  set(letters "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  set(result "")
  foreach(begin RANGE 0 63 3)
    string(SUBSTRING "${hash}00" ${begin} 3 digits)
    math(EXPR first "0x${digits} >> 6")
    math(EXPR second "0x${digits} & 63")
    string(SUBSTRING ${letters} ${first} 1 first)
    string(SUBSTRING ${letters} ${second} 1 second)
    string(APPEND result ${first}${second})
  endforeach()
  string(SUBSTRING ${result} 0 43 result)
  set(${variable} "${result}=" PARENT_SCOPE)
endfunction()

# The page of `report` as two strings, what stands before its data and what after: style and scripts
# go into it, the modules one after another in an order in which each finds what it needs.
function(tessera_report_page target)
  set(folder ${PROJECT_SOURCE_DIR}/src/report/page)
  set(script "")
  foreach(name common/puzzle common/text common/grid common/player
               common/values common/elements common/chart common/save common/game_plot
               names series stage solutions speed comparison runs figures
               simulations games shortened bounds timeline census main)
    tessera_page_file(content ${folder}/${name}.js)
    string(REGEX REPLACE "(^|\n)import [^;]*;" "\\1" content "${content}")
    string(REGEX REPLACE "(^|\n)export " "\\1" content "${content}")
    string(APPEND script "${content}")
  endforeach()
  set(style "")
  foreach(name common/base common/plots report)
    tessera_page_file(content ${folder}/${name}.css)
    string(APPEND style "${content}")
  endforeach()
  file(READ ${folder}/common/icon.svg icon)
  string(REPLACE "#" "%23" icon "${icon}")
  string(REPLACE "\"" "'" icon "${icon}")
  string(REGEX REPLACE "\n|<!--[^>]*-->" "" icon "${icon}")
  set(script "\n${script}")
  tessera_base64_hash(hash "${script}")
  tessera_page_file(page ${folder}/report.html)
  string(REPLACE "<!-- icon -->" "${icon}" page "${page}")
  string(REPLACE "<!-- hash -->" "${hash}" page "${page}")
  string(REPLACE "<!-- style -->" "${style}" page "${page}")
  string(REPLACE "<!-- script -->" "${script}" page "${page}")
  string(REPLACE "<!-- data -->" ")page_file\",\n                                 R\"page_file(" page "${page}")
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/report/page_parts.cpp @ONLY CONTENT
"// Made from src/report/page.
#include \"report/page_content.hpp\"
namespace tessera {
constexpr PageParts parts = {R\"page_file(@page@)page_file\"};
const PageParts& page_parts() {
  return parts;
}
}  // namespace tessera
")
  target_sources(${target} PRIVATE ${PROJECT_BINARY_DIR}/generated/report/page_parts.cpp)
endfunction()
