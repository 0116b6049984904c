// SPDX-License-Identifier: MIT
#include "fuzz/memory_account.hpp"

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>

namespace {

// Threads of a parser allocate too.
std::atomic<std::int64_t> in_use{0};
std::atomic<std::int64_t> peak{0};
std::atomic<std::int64_t> limit{std::numeric_limits<std::int64_t>::max()};
std::atomic<bool> exceeded{false};
std::int64_t at_begin = 0;

void* allocated(std::size_t bytes) {
  constexpr std::size_t nonsense = std::size_t{1} << 62;
  if (bytes > nonsense || in_use + static_cast<std::int64_t>(bytes) > limit) {
    exceeded = true;
    throw std::bad_alloc();
  }
  void* const memory = std::malloc(std::max<std::size_t>(bytes, 1));
  if (memory == nullptr) throw std::bad_alloc();
  const auto size = static_cast<std::int64_t>(malloc_usable_size(memory));
  const std::int64_t now = in_use += size;
  for (std::int64_t before = peak; before < now && !peak.compare_exchange_weak(before, now);) {
  }
  return memory;
}

void freed(void* memory) noexcept {
  if (memory == nullptr) return;
  in_use -= static_cast<std::int64_t>(malloc_usable_size(memory));
  std::free(memory);
}

}  // namespace

void* operator new(std::size_t bytes) {
  return allocated(bytes);
}
void* operator new[](std::size_t bytes) {
  return allocated(bytes);
}
// The library's sorts ask for their buffers so.
void* operator new(std::size_t bytes, const std::nothrow_t& /*unused*/) noexcept {
  try {
    return allocated(bytes);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* memory, const std::nothrow_t& /*unused*/) noexcept {
  freed(memory);
}
void operator delete(void* memory) noexcept {
  freed(memory);
}
void operator delete[](void* memory) noexcept {
  freed(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  freed(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  freed(memory);
}

namespace tessera::fuzz {

void begin_account(std::uint64_t most_bytes) {
  at_begin = in_use;
  peak = at_begin;
  exceeded = false;
  limit = at_begin + static_cast<std::int64_t>(most_bytes);
}

Account end_account() {
  limit = std::numeric_limits<std::int64_t>::max();
  return {static_cast<std::uint64_t>(peak - at_begin), exceeded};
}

}  // namespace tessera::fuzz
