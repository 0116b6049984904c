// SPDX-License-Identifier: MIT
#include "base/memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <fstream>
#include <string>

#include "base/error.hpp"
#include "base/memory_limit.hpp"

namespace tessera {
namespace {

bool has_huge_pages() {
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
  std::string modes;
  return std::getline(file, modes) && modes.find("[never]") == std::string::npos;
}

int memory_file() {
#ifdef MFD_NOEXEC_SEAL
  // Since Linux 6.3; systems may require it.
  const int file = memfd_create("tessera", MFD_CLOEXEC | MFD_NOEXEC_SEAL);
  if (file >= 0 || errno != EINVAL) return file;
#endif
  return memfd_create("tessera", MFD_CLOEXEC);
}

[[noreturn]] void refused(std::size_t bytes) {
  out_of_resources("not enough memory: " + std::to_string(bytes >> 20) + " MiB are needed");
}

}  // namespace

void LargeBuffer::Unmap::operator()(std::uint8_t* data) const {
  munmap(data, bytes);
}

void LargeBuffer::map(std::size_t bytes, int flags, int file) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, file, 0);
  if (memory == MAP_FAILED) return;
  data_ = {static_cast<std::uint8_t*>(memory), Unmap{bytes}};
}

void LargeBuffer::advise(Pages pages) {
#ifdef MADV_HUGEPAGE
  if (data_) madvise(data_.get(), size(), pages == Pages::huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
#endif
}

// Unmaps what is before the first huge page and behind the buffer.
void LargeBuffer::align(std::size_t bytes) {
  const std::size_t mapped = size();
  std::uint8_t* const data = data_.release();
  const std::size_t before = (huge_page - reinterpret_cast<std::uintptr_t>(data)) % huge_page;
  const std::size_t end = before + whole_pages(bytes);
  if (before > 0) munmap(data, before);
  if (end < mapped) munmap(data + end, mapped - end);
  data_ = {data + before, Unmap{bytes}};
}

LargeBuffer LargeBuffer::if_possible(std::size_t bytes, Pages pages) {
  LargeBuffer buffer;
  if (bytes == 0) return buffer;
  const bool aligns = pages == Pages::huge && bytes >= huge_page;
  buffer.map(aligns ? whole_pages(bytes) + huge_page : bytes, MAP_PRIVATE | MAP_ANONYMOUS, -1);
  if (buffer.data_ && aligns) buffer.align(bytes);
  buffer.advise(pages);
  return buffer;
}

LargeBuffer::LargeBuffer(std::size_t bytes) : LargeBuffer(if_possible(bytes, Pages::huge)) {
  if (bytes > 0 && !data_) refused(bytes);
}

void LargeBuffer::resize(std::size_t bytes) {
  if (!data_ || bytes == 0) {
    *this = LargeBuffer(bytes);
    return;
  }
  void* const moved = mremap(data_.get(), size(), bytes, MREMAP_MAYMOVE);
  if (moved == MAP_FAILED) refused(bytes);
  (void)data_.release();
  data_ = {static_cast<std::uint8_t*>(moved), Unmap{bytes}};
}

LargeBuffer LargeBuffer::shared(std::size_t bytes) {
  LargeBuffer buffer;
  if (bytes == 0) return buffer;
  buffer.file_ = Descriptor(memory_file());
  if (buffer.file_.is_open() && ftruncate(buffer.file(), static_cast<off_t>(bytes)) == 0) {
    buffer.map(bytes, MAP_SHARED, buffer.file());
    buffer.advise(Pages::huge);
  }
  return buffer;
}

LargeBuffer LargeBuffer::seen(const std::string& path, std::size_t bytes) {
  LargeBuffer buffer;
  // The path may name anything: another process's pipe, or a file that is too short.
  const Descriptor file(open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK));
  struct stat found {};
  if (file.is_open() && bytes > 0 && fstat(file.number(), &found) == 0 && S_ISREG(found.st_mode) &&
      static_cast<std::size_t>(found.st_size) == bytes) {
    buffer.map(bytes, MAP_SHARED, file.number());
    buffer.advise(Pages::huge);
  }
  return buffer;
}

void take_from_system(std::span<std::uint8_t> bytes) {
#ifdef MADV_POPULATE_WRITE
  // Since Linux 5.14: all pages in one call, without a fault for each.
  if (madvise(bytes.data(), bytes.size(), MADV_POPULATE_WRITE) == 0) return;
  if (errno == ENOMEM || errno == EFAULT)
    out_of_resources("not enough memory: the system has no more");
#endif
  constexpr std::size_t page = 4096;
  for (std::size_t at = 0; at < bytes.size(); at += page) {
    // Another process may write there already.
    std::atomic_ref<std::uint8_t>(bytes[at]).fetch_or(0, std::memory_order_relaxed);
  }
}

bool has_free_addresses() {
  const MemoryLimitSources limits;
  return limits.address_space.rlim_cur == RLIM_INFINITY && limits.data.rlim_cur == RLIM_INFINITY;
}

void map_what_is_there(std::span<std::uint8_t> bytes) {
#ifdef MADV_POPULATE_READ
  madvise(bytes.data(), bytes.size(), MADV_POPULATE_READ);
#else
  (void)bytes;
#endif
}

LargeBuffer copy_in_huge_pages(std::span<const std::uint8_t> file_bytes, std::size_t least_bytes) {
  if (file_bytes.size() < least_bytes || !has_huge_pages()) return {};
  const MemoryShare memory = memory_share(memory_limits(), 1);
  if (memory.free_bytes < memory.total_bytes / 2 + file_bytes.size()) return {};
  LargeBuffer copy = LargeBuffer::if_possible(file_bytes.size(), LargeBuffer::Pages::huge);
  if (copy.bytes().empty()) return copy;  // a limit that the free memory does not account for
  for (std::size_t at = 0; at < file_bytes.size(); at += huge_page) {
    const auto part = file_bytes.subspan(at, std::min(huge_page, file_bytes.size() - at));
    std::ranges::copy(part, copy.bytes().subspan(at).begin());
    madvise(const_cast<std::uint8_t*>(part.data()), part.size(), MADV_DONTNEED);
  }
  return copy;
}

}  // namespace tessera
