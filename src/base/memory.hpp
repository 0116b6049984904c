// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/descriptor.hpp"

namespace tessera {

/// Zeroed memory for large arrays with random access, in huge pages if the kernel provides them.
/// Throws Error(resource) with the size if memory is insufficient.
class LargeBuffer {
 public:
  LargeBuffer() = default;
  explicit LargeBuffer(std::size_t bytes);
  /// The same as an anonymous memory file, which other processes map through its descriptor. Huge
  /// pages only if the system provides them for shared memory. Empty on failure.
  [[nodiscard]] static LargeBuffer shared(std::size_t bytes);
  /// Maps such a file of another process, found at `path`, for reading and writing. Empty if there
  /// is no file of this size or it cannot be mapped.
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
  // Leaves the buffer empty on failure.
  void map(std::size_t bytes, int flags, int file);

  std::unique_ptr<std::uint8_t[], Unmap> data_;
  Descriptor file_;
};

/// A copy in huge pages if the kernel has them, the array has at least `least_bytes`, and half of
/// the memory stays free; else empty. With small pages, random access to large arrays spends most
/// of its time on page table walks; even prefetches wait for them.
[[nodiscard]] LargeBuffer copy_in_huge_pages(std::span<const std::uint8_t> bytes,
                                             std::size_t least_bytes = std::size_t{32} << 20);

/// Rounds a number of bytes up to whole pages.
[[nodiscard]] constexpr std::size_t whole_pages(std::size_t bytes) {
  constexpr std::size_t page = 4096;
  return (bytes + page - 1) / page * page;
}

/// Makes the system allocate these pages now; `bytes` starts at a page boundary, and its contents
/// are kept. Throws Error(resource) if there are no more pages.
void take_from_system(std::span<std::uint8_t> bytes);

/// Maps shared pages that other processes have allocated, to avoid page faults on first access.
void map_what_is_there(std::span<std::uint8_t> bytes);

}  // namespace tessera
