// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace tessera {

/// The page of `report`, part of the program: its data, JSON that holds no `<`, goes in between.
struct PageParts {
  std::string_view before_data;
  std::string_view after_data;
};

[[nodiscard]] const PageParts& page_parts();

}  // namespace tessera
