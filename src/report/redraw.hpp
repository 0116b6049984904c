// SPDX-License-Identifier: MIT
#pragma once

namespace tessera {

/// How often a line of progress is redrawn on a terminal.
inline constexpr double redraw_seconds = 0.2;
/// How often one is printed elsewhere.
inline constexpr double plain_seconds = 30;

}  // namespace tessera
