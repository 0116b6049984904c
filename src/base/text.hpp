// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

[[nodiscard]] std::string_view trimmed(std::string_view text);

/// Whether it has no control characters.
[[nodiscard]] bool is_printable(std::string_view text);

/// A field of CSV, in quotes as in RFC 4180 if it contains one of `special`.
[[nodiscard]] std::string csv_field(std::string_view text, std::string_view special = ",\"#\n\r");

/// Removes the first line from a text and returns it without its line break.
std::string_view take_line(std::string_view& text);

/// Splits at any run of spaces and commas; empty fields are dropped.
[[nodiscard]] std::vector<std::string_view> split_fields(std::string_view text);

/// Splits at `separator` outside `()` and `{}`, so that lists of heuristics may hold commas.
[[nodiscard]] std::vector<std::string> split_list(std::string_view text, char separator = ',');

/// A decimal number and nothing else; empty if the text is not one or it does not fit.
[[nodiscard]] std::optional<std::int64_t> parse_integer(std::string_view text);

/// `200ms`, `30s`, `5m`, `1h30m`, `2us`; the units us, ms, s, m, h can be combined in any order.
/// Throws Error(input) beyond 31 years.
[[nodiscard]] std::optional<std::chrono::nanoseconds> parse_duration(std::string_view text);

/// A duration, or a bare number of seconds. Throws as parse_duration.
[[nodiscard]] std::optional<std::chrono::nanoseconds> parse_time(std::string_view text);

/// `512MiB`, `8GiB` or `8G` (2^30 bytes each, as SLURM has it), `8GB` (10^9 bytes each), or plain
/// bytes (`4096` or `4096B`), in either case. Throws Error(input) from 2^63 on.
[[nodiscard]] std::optional<std::uint64_t> parse_bytes(std::string_view text);

[[nodiscard]] constexpr double mebibytes(std::uint64_t bytes) {
  return static_cast<double>(bytes) / (1 << 20);
}

/// The known name with the smallest edit distance to `name` of those that begin with it, else of
/// those that are near (at most a third of its length, or two); empty if none is. Only the part
/// before a colon is compared, in either case.
[[nodiscard]] std::string nearest_name(std::string_view name, std::span<const std::string> known);

/// "'idaa' is unknown, did you mean ida?"; if none is near, what was expected: by default one of
/// all names.
[[nodiscard]] std::string unknown_name(std::string_view name, std::span<const std::string> known,
                                       const std::string& expected = {});

/// "FILE:LINE: "; empty without a name.
[[nodiscard]] std::string line_place(const std::string& name, std::ptrdiff_t line);

/// "a, b or c".
[[nodiscard]] std::string alternatives(std::span<const std::string> names);

/// "1 board", "2 boards".
template <std::integral Number>
[[nodiscard]] std::string counted(Number count, std::string_view noun) {
  return std::to_string(count) + ' ' + std::string(noun) + (count == 1 ? "" : "s");
}

/// Untrusted text made fit for a one-line message: shortened, with `?` for each byte that belongs
/// to no visible character of UTF-8.
[[nodiscard]] std::string quote(std::string_view text);

/// Lower case, without a prefix.
[[nodiscard]] std::string hexadecimal(std::uint64_t number);

/// 1234567 as "1,234,567".
[[nodiscard]] std::string with_commas(std::uint64_t number);

/// "12.3 GiB", in a suitable unit from KiB up.
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);

}  // namespace tessera
