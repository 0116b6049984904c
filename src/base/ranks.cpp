// SPDX-License-Identifier: MIT
#include "base/ranks.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace tessera {

void Ranks::agree(const char* /*step*/, const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    throw CommonError(error.kind(), error.what());
  }
}

Ranks::Parts all_to_all(Ranks& ranks, Ranks::Parts parts) {
  const auto sizes = ranks.transfer();
  for (const std::vector<std::byte>& part : parts) {
    const std::uint64_t size = part.size();
    const auto bytes = std::as_bytes(std::span(&size, 1));
    sizes->out.emplace_back(bytes.begin(), bytes.end());
  }
  sizes->in = sizes->out;
  sizes->start();
  sizes->wait();
  const auto contents = ranks.transfer();
  contents->out = std::move(parts);
  contents->in.resize(contents->out.size());
  for (std::size_t from = 0; from < contents->in.size(); ++from) {
    std::uint64_t size = 0;
    std::memcpy(&size, sizes->in[from].data(), sizeof size);
    if (static_cast<int>(from) != ranks.rank()) contents->in[from].resize(size);
  }
  contents->start();
  contents->wait();
  return std::move(contents->in);
}

std::vector<std::uint64_t> by_rank(Ranks& ranks, std::uint64_t mine) {
  std::vector<std::uint64_t> numbers(static_cast<std::size_t>(ranks.size()));
  numbers[static_cast<std::size_t>(ranks.rank())] = mine;
  ranks.sum(numbers);
  return numbers;
}

void complete(Ranks& ranks, std::span<std::byte> list, std::span<const std::uint64_t> sizes) {
  if (ranks.size() == 1) return;
  const auto start = static_cast<std::ptrdiff_t>(
      std::accumulate(sizes.begin(), sizes.begin() + ranks.rank(), std::uint64_t{0}));
  const std::uint64_t size = sizes[static_cast<std::size_t>(ranks.rank())];
  // The other parts are zero, so that the sums are the whole list.
  std::vector<std::uint64_t> words((list.size() + 7) / 8);
  const auto bytes = std::as_writable_bytes(std::span(words));
  std::ranges::copy(list.subspan(start, size), bytes.begin() + start);
  ranks.sum(words);
  std::ranges::copy(bytes.first(list.size()), list.begin());
}

std::vector<std::string> gather(Ranks& ranks, const std::string& mine) {
  const std::vector<std::uint64_t> sizes = by_rank(ranks, mine.size());
  const auto before = sizes.begin() + ranks.rank();
  std::string all(std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0}), '\0');
  mine.copy(all.data() + std::accumulate(sizes.begin(), before, std::uint64_t{0}), mine.size());
  complete(ranks, std::as_writable_bytes(std::span(all)), sizes);
  std::vector<std::string> texts;
  std::size_t start = 0;
  for (const std::uint64_t size : sizes) {
    texts.push_back(all.substr(start, size));
    start += size;
  }
  return texts;
}

}  // namespace tessera
