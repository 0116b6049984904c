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

# The census's loops over words, once for each instruction set; the program picks at run time.
function(tessera_census_kernels target)
  set(folder ${PROJECT_SOURCE_DIR}/src/census)
  set_property(SOURCE ${folder}/kernels_portable.cpp PROPERTY COMPILE_OPTIONS -O3 -Wno-psabi)
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
