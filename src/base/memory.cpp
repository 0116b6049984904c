// SPDX-License-Identifier: MIT
#include "base/memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
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

}  // namespace

void LargeBuffer::Unmap::operator()(std::uint8_t* data) const {
  munmap(data, bytes);
}

void LargeBuffer::map(std::size_t bytes, int flags, int file) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, file, 0);
  if (memory == MAP_FAILED) return;
#ifdef MADV_HUGEPAGE
  madvise(memory, bytes, MADV_HUGEPAGE);
#endif
  data_ = {static_cast<std::uint8_t*>(memory), Unmap{bytes}};
}

LargeBuffer::LargeBuffer(std::size_t bytes) {
  if (bytes == 0) return;
  map(bytes, MAP_PRIVATE | MAP_ANONYMOUS, -1);
  if (!data_) no_room("not enough memory: " + std::to_string(bytes >> 20) + " MiB are needed");
}

LargeBuffer LargeBuffer::shared(std::size_t bytes) {
  LargeBuffer buffer;
  if (bytes == 0) return buffer;
  buffer.file_ = Descriptor(memory_file());
  if (buffer.file_.is_open() && ftruncate(buffer.file(), static_cast<off_t>(bytes)) == 0) {
    buffer.map(bytes, MAP_SHARED, buffer.file());
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
  }
  return buffer;
}

void take_from_system(std::span<std::uint8_t> bytes) {
#ifdef MADV_POPULATE_WRITE
  // Since Linux 5.14: all pages in one call, without a fault for each.
  if (madvise(bytes.data(), bytes.size(), MADV_POPULATE_WRITE) == 0) return;
  if (errno == ENOMEM || errno == EFAULT) no_room("not enough memory: the system has no more");
#endif
  constexpr std::size_t page = 4096;
  for (std::size_t at = 0; at < bytes.size(); at += page) {
    // Another process may write there already.
    std::atomic_ref<std::uint8_t>(bytes[at]).fetch_or(0, std::memory_order_relaxed);
  }
}

void map_what_is_there(std::span<std::uint8_t> bytes) {
#ifdef MADV_POPULATE_READ
  madvise(bytes.data(), bytes.size(), MADV_POPULATE_READ);
#else
  (void)bytes;
#endif
}

LargeBuffer copy_in_huge_pages(std::span<const std::uint8_t> bytes, std::size_t least_bytes) {
  if (bytes.size() < least_bytes || !has_huge_pages()) return {};
  const MemoryShare memory = memory_share(memory_limits(), 1);
  if (memory.free_bytes < memory.total_bytes / 2 + bytes.size()) return {};
  try {
    LargeBuffer copy(bytes.size());
    std::memcpy(copy.bytes().data(), bytes.data(), bytes.size());
    return copy;
  } catch (const Error&) {  // a limit that the free memory does not account for
    return {};
  }
}

}  // namespace tessera
