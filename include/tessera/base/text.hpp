// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

[[nodiscard]] std::string_view trimmed(std::string_view text);

/// Takes the first line off a text; returns it without its end.
std::string_view take_line(std::string_view& text);

/// Whether nothing but blanks stands between two commas.
[[nodiscard]] bool holds_empty_field(std::string_view text);

/// Splits at any run of blanks and commas; empty fields vanish.
[[nodiscard]] std::vector<std::string_view> split_fields(std::string_view text);

/// Splits at `separator` outside `()` and `{}`, so that lists of heuristics may hold commas.
[[nodiscard]] std::vector<std::string> split_list(std::string_view text, char separator = ',');

/// A whole decimal number and nothing else; empty where the text is none or does not fit.
[[nodiscard]] std::optional<std::int64_t> parse_integer(std::string_view text);

/// `200ms`, `30s`, `5m`, `1h30m`, `2us`; units us, ms, s, m, h, combinable, largest first or not.
/// Throws Error(input) beyond 31 years.
[[nodiscard]] std::optional<std::chrono::nanoseconds> parse_duration(std::string_view text);

/// `512MiB`, `8GiB`, `64KiB`, `1TiB`, plain bytes (`4096` or `4096B`). Bytes. Throws
/// Error(input) from 2^63 on.
[[nodiscard]] std::optional<std::uint64_t> parse_bytes(std::string_view text);

[[nodiscard]] constexpr double mebibytes(std::uint64_t bytes) {
  return static_cast<double>(bytes) / (1 << 20);
}

/// The known name that takes the fewest edits (at most a third of its length, at least two) to
/// become `name`; empty where none is near. Only what stands before a colon is compared.
[[nodiscard]] std::string nearest_name(std::string_view name, std::span<const std::string> known);

/// "'idaa' is unknown, did you mean ida?"; where none is near all names are listed.
[[nodiscard]] std::string unknown_name(std::string_view name, std::span<const std::string> known);

/// "1 board", "2 boards".
template <std::integral Number>
[[nodiscard]] std::string counted(Number count, std::string_view noun) {
  return std::to_string(count) + ' ' + std::string(noun) + (count == 1 ? "" : "s");
}

/// A piece of foreign text fit for one line of a message: short, and without control bytes.
[[nodiscard]] std::string quote(std::string_view text);

/// In lower case, without a prefix.
[[nodiscard]] std::string hexadecimal(std::uint64_t number);

}  // namespace tessera
