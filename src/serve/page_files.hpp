// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

namespace tessera {

/// A file of the page, part of the program.
struct PageFile {
  std::string_view path;  ///< "/main.js"
  std::string_view type;
  std::string_view content;
};

[[nodiscard]] std::span<const PageFile> page_files();

}  // namespace tessera
