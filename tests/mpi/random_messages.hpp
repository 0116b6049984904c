// SPDX-License-Identifier: MIT
// Any message with random content, and whether two are equal in every member.
#pragma once

#include <array>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "cluster/messages/messages.hpp"
#include "puzzle/random_board.hpp"

namespace tessera {

// The members of each struct. A binding does not compile unless it names all of them, so a member
// that is added must be listed here, and must travel.
// clang-format off
inline auto members(Counts& x) { auto& [a, b, c] = x; return std::tie(a, b, c); }
inline auto members(Size& x) { auto& [a, b] = x; return std::tie(a, b); }
inline auto members(RankInfo& x) { auto& [a, b, c] = x; return std::tie(a, b, c); }
inline auto members(Emulation& x) { auto& [a, b, c] = x; return std::tie(a, b, c); }
inline auto members(Instance& x) { auto& [a, b] = x; return std::tie(a, b); }
inline auto members(Problem& x) {
  auto& [a, b, c, d, e, f, g, h] = x;
  return std::tie(a, b, c, d, e, f, g, h);
}
inline auto members(CensusTask& x) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l] = x;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l);
}
inline auto members(Task& x) {
  auto& [a, b, c, d, e, f, g] = x;
  return std::tie(a, b, c, d, e, f, g);
}
inline auto members(WorkItem& x) { auto& [a, b, c] = x; return std::tie(a, b, c); }
inline auto members(PooledItem& x) { auto& [a, b] = x; return std::tie(a, b); }
inline auto members(FinishedSubtree& x) { auto& [a, b, c, d] = x; return std::tie(a, b, c, d); }
inline auto members(FoundSolution& x) { auto& [a, b] = x; return std::tie(a, b); }
inline auto members(Span& x) {
  auto& [a, b, c, d, e, f, g, h] = x;
  return std::tie(a, b, c, d, e, f, g, h);
}
inline auto members(Track& x) { auto& [a, b, c, d] = x; return std::tie(a, b, c, d); }
// Of `found` what is not reduced apart from it.
inline auto members(RankResult& x) {
  auto& [found, b, c] = x;
  return std::tie(found.solution, found.solved, found.by_bound, found.search_seconds, found.tracks,
                  found.finished, b, c);
}
inline auto members(BeamOptions& x) { auto& [a, b, c, d] = x; return std::tie(a, b, c, d); }
inline auto members(BestFirstOptions& x) { auto& [a, b, c, d] = x; return std::tie(a, b, c, d); }
inline auto members(BestFirstShare& x) {
  auto& [a, b, c, d, e, f] = x;
  return std::tie(a, b, c, d, e, f);
}
inline auto members(WorkerTimes& x) {
  auto& [a, b, c, d, e, f, g] = x;
  return std::tie(a, b, c, d, e, f, g);
}
inline auto members(IterationReport& x) {
  auto& [a, b, c, d, e, f] = x;
  return std::tie(a, b, c, d, e, f);
}
inline auto members(BoardJob& x) { auto& [a, b, c] = x; return std::tie(a, b, c); }
inline auto members(BatchStart& x) { auto& [a, b] = x; return std::tie(a, b); }
inline auto members(BatchOptions& x) { auto& [a, b, c, d, e] = x; return std::tie(a, b, c, d, e); }
// These two have more members than travel.
inline auto members(IdaStarOptions& x) {
  return std::tie(x.finish_iteration, x.all, x.listed, x.every_depth);
}
inline auto members(FirstMove& x) { auto& [a, b] = x; return std::tie(a, b); }
inline auto members(SolutionList& x) { auto& [a, b, c, d] = x; return std::tie(a, b, c, d); }
inline auto members(SearchResult& x) {
  auto& [solution, optimal, incumbent, stop, bound, counts, solution_count, list, iterations, times,
         seconds, setup_seconds, earlier_seconds, states, bytes] = x;
  return std::tie(solution, optimal, stop, bound, counts, solution_count, list, iterations, seconds,
                  setup_seconds, states, bytes);
}
inline auto members(Notice& x) { auto& [a, b, c, d, e] = x; return std::tie(a, b, c, d, e); }
inline auto members(BoardOutcome& x) {
  auto& [a, b, c, d, e, f] = x;
  return std::tie(a, b, c, d, e, f);
}
// clang-format on

/// Fills messages at random: numbers of their type's whole range, containers of up to so many
/// elements, each second optional empty.
class RandomMessages {
 public:
  RandomMessages(std::uint64_t seed, std::size_t longest) : random_(seed), longest_(longest) {}

  template <class Message>
  [[nodiscard]] Message next() {
    Message message{};
    fill(message);
    return message;
  }

 private:
  [[nodiscard]] std::size_t length() { return random_.below(longest_ + 1); }
  void fill(bool& value) { value = random_.below(2) == 1; }
  template <std::integral T>
  void fill(T& value) {
    value = static_cast<T>(random_.next());
  }
  void fill(std::chrono::nanoseconds& time) {
    time = std::chrono::nanoseconds(static_cast<std::int64_t>(random_.next()));
  }
  void fill(double& value) { value = static_cast<double>(random_.next()) / 3; }
  template <class T>
  requires std::is_enum_v<T>
  void fill(T& value) { value = static_cast<T>(random_.below(3)); }
  void fill(std::string& text) {
    text.resize(length());
    for (char& letter : text) letter = static_cast<char>(random_.next());
  }
  template <class T, std::size_t count>
  void fill(std::array<T, count>& values) {
    for (T& value : values) fill(value);
  }
  template <class T>
  void fill(std::vector<T>& values) {
    values.resize(length());
    for (T& value : values) fill(value);
  }
  template <class Value>
  void fill(std::map<int, Value>& values) {
    for (std::size_t i = length(); i > 0; --i) fill(values[next<int>()]);
  }
  template <class T>
  void fill(std::optional<T>& value) {
    if (random_.below(2) == 1) fill(value.emplace());
  }
  void fill(Board& board) {
    constexpr std::array<std::int64_t, 6> tiles{1, 2, 3, 4, 5, 0};
    board = random_board(Board({3, 2}, tiles), random_);
  }
  template <class T>
  requires requires(T& x) { members(x); }
  void fill(T& message) {
    std::apply([this](auto&... each) { (fill(each), ...); }, members(message));
  }

  Random random_;
  std::size_t longest_;
};

template <class T>
[[nodiscard]] bool equal(const T& a, const T& b) {
  return a == b;
}
template <class T>
requires requires(T& x) {
  members(x);
}
[[nodiscard]] bool equal(const T& a, const T& b);
template <class T>
[[nodiscard]] bool equal(const std::vector<T>& a, const std::vector<T>& b) {
  bool same = a.size() == b.size();
  for (std::size_t i = 0; same && i < a.size(); ++i) same = equal(a[i], b[i]);
  return same;
}
template <class T>
[[nodiscard]] bool equal(const std::optional<T>& a, const std::optional<T>& b) {
  return a.has_value() == b.has_value() && (!a || equal(*a, *b));
}
template <class T>
requires requires(T& x) {
  members(x);
}
[[nodiscard]] bool equal(const T& a, const T& b) {
  // Nothing is changed through them.
  const auto left = members(const_cast<T&>(a));
  const auto right = members(const_cast<T&>(b));
  return [&]<std::size_t... i>(std::index_sequence<i...>) {
    return (equal(std::get<i>(left), std::get<i>(right)) && ...);
  }
  (std::make_index_sequence<std::tuple_size_v<decltype(left)>>());
}

}  // namespace tessera
