// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "tessera/base/descriptor.hpp"

namespace tessera {

/// Zeroed memory for large arrays that are read at random, in huge pages where the kernel gives
/// them. Throws Error(resource) with the size where there is not so much.
class LargeBuffer {
 public:
  LargeBuffer() = default;
  explicit LargeBuffer(std::size_t bytes);
  /// The same as an unnamed file in memory, which others map by its descriptor. Huge pages only
  /// where the system gives them to shared memory. Empty where it cannot be had.
  [[nodiscard]] static LargeBuffer shared(std::size_t bytes);
  /// Such a file of another process, found at `path`, to read and to write. Empty where there is
  /// none of this size, or no room to map it.
  [[nodiscard]] static LargeBuffer seen(const std::string& path, std::size_t bytes);

  [[nodiscard]] std::span<std::uint8_t> bytes() { return {data_.get(), size()}; }
  [[nodiscard]] std::span<const std::uint8_t> bytes() const { return {data_.get(), size()}; }
  /// The descriptor of shared memory, or -1.
  [[nodiscard]] int file() const { return file_.number(); }

 private:
  struct Unmap {
    std::size_t bytes;
    void operator()(std::uint8_t* data) const;
  };
  [[nodiscard]] std::size_t size() const { return data_ ? data_.get_deleter().bytes : 0; }
  // Stays empty where that is not possible.
  void map(std::size_t bytes, int flags, int file);

  std::unique_ptr<std::uint8_t[], Unmap> data_;
  Descriptor file_;
};

/// A copy in huge pages, where the kernel has them, the array has at least so many bytes, and half
/// of the memory stays free; else empty. Large arrays read at random lose most of their time to
/// page tables otherwise: even a prefetch waits for them.
[[nodiscard]] LargeBuffer copy_in_huge_pages(std::span<const std::uint8_t> bytes,
                                             std::size_t least_bytes = std::size_t{32} << 20);

/// So many bytes, rounded up to pages.
[[nodiscard]] constexpr std::size_t whole_pages(std::size_t bytes) {
  constexpr std::size_t page = 4096;
  return (bytes + page - 1) / page * page;
}

/// Has the system hand out the pages of such memory now, from the start of a page on; what is
/// written there stays. Throws Error(resource) where there are no more.
void take_from_system(std::span<std::uint8_t> bytes);

/// The same for pages of shared memory that others take: it spares the faults of coming to them.
void map_what_is_there(std::span<std::uint8_t> bytes);

}  // namespace tessera
