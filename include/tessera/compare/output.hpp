// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "tessera/compare/comparison.hpp"

namespace tessera {

/// What a person reads: a row for each configuration, and where its time went. docs/compare.md
/// says how to read it.
[[nodiscard]] std::string comparison_table(const Comparison& comparison);

/// One JSON object of schema tessera.compare/1, on one line.
[[nodiscard]] std::string to_json(const Comparison& comparison);

/// A heading, and one row for each configuration; empty fields where there is no figure.
[[nodiscard]] std::string to_csv(const Comparison& comparison);

}  // namespace tessera
