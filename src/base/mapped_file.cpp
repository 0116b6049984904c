// SPDX-License-Identifier: MIT
#include "base/mapped_file.hpp"

#include <sys/mman.h>
#include <sys/stat.h>

#include <atomic>
#include <cerrno>
#include <mutex>
#include <string>
#include <utility>

#include "base/descriptor.hpp"

namespace tessera {
namespace {

// A node of the list of all mapped files. The SIGBUS handler reads `data`, `size` and `path`;
// `data` is set last and cleared first.
struct Mapping {
  std::atomic<const std::uint8_t*> data{nullptr};
  std::atomic<std::size_t> size{0};
  std::atomic<const char*> path{nullptr};
  std::string path_text;
  Descriptor file;
  timespec modified{};
  std::uint64_t change = 0;  // of the file, numbered as they were noticed; 0: none
  Mapping* next = nullptr;   // set before the node is in the list

  [[nodiscard]] bool is_unchanged() const {
    struct stat status {};
    return fstat(file.number(), &status) == 0 && static_cast<std::size_t>(status.st_size) == size &&
           status.st_mtim.tv_sec == modified.tv_sec && status.st_mtim.tv_nsec == modified.tv_nsec;
  }
};

// Nodes are never destroyed: the handler may read them at any time, and files of static objects are
// unmapped last. They are used again, except those of changed files: searches that relied on such a
// file may end after it was unmapped.
constinit std::atomic<Mapping*> mappings{nullptr};
constinit std::mutex mutex;  // for everything that the handler does not read
constinit std::uint64_t noticed_changes = 0;

// Null if there is none.
Mapping* mapping_of(const std::uint8_t* data) {
  Mapping* mapping = mappings;
  while (mapping != nullptr && mapping->data != data) mapping = mapping->next;
  return mapping;
}

Mapping* unused_mapping() {
  Mapping* mapping = mappings;
  while (mapping != nullptr && (mapping->data != nullptr || mapping->change != 0)) {
    mapping = mapping->next;
  }
  return mapping;
}

void notice_change(Mapping& mapping) {
  if (mapping.data == nullptr || mapping.change != 0 || mapping.is_unchanged()) return;
  mapping.change = ++noticed_changes;
}

void remember(const std::uint8_t* data, const std::filesystem::path& path, Descriptor file,
              const struct stat& status) {
  const std::lock_guard lock(mutex);
  Mapping* mapping = unused_mapping();
  if (mapping == nullptr) {
    mapping = new Mapping;
    mapping->next = mappings;
    mappings = mapping;
  }
  mapping->path_text = path.string();
  mapping->file = std::move(file);
  mapping->modified = status.st_mtim;
  mapping->size = static_cast<std::size_t>(status.st_size);
  mapping->path = mapping->path_text.c_str();
  mapping->data = data;
}

void forget(const std::uint8_t* data) {
  const std::lock_guard lock(mutex);
  if (Mapping* const mapping = mapping_of(data)) {
    notice_change(*mapping);
    mapping->data = nullptr;
    mapping->file = Descriptor();
  }
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) {
  Descriptor file = open_regular(path);
  struct stat status {};
  if (fstat(file.number(), &status) != 0) file_failure(path, "cannot be read", errno);
  const auto bytes = static_cast<std::size_t>(status.st_size);
  if (bytes == 0) return;
  void* const memory = mmap(nullptr, bytes, PROT_READ, MAP_SHARED | MAP_POPULATE, file.number(), 0);
  if (memory == MAP_FAILED) file_failure(path, "cannot be mapped", errno);
  data_ = {static_cast<const std::uint8_t*>(memory), Unmap{bytes}};
  remember(data_.get(), path, std::move(file), status);
}

void MappedFile::Unmap::operator()(const std::uint8_t* data) const {
  forget(data);
  munmap(const_cast<std::uint8_t*>(data), bytes);
}

bool MappedFile::is_unchanged() const {
  const std::lock_guard lock(mutex);
  return !data_ || mapping_of(data_.get())->change == 0;
}

void notice_file_changes() {
  (void)changed_mapped_file(0);
}

std::uint64_t noticed_file_changes() {
  const std::lock_guard lock(mutex);
  return noticed_changes;
}

std::string changed_mapped_file(std::uint64_t earlier) {
  std::string path;
  const std::lock_guard lock(mutex);
  for (Mapping* mapping = mappings; mapping != nullptr; mapping = mapping->next) {
    notice_change(*mapping);
    if (mapping->change > earlier) path = mapping->path_text;
  }
  return path;
}

void expect_unchanged_mapped_files(std::uint64_t earlier) {
  const std::string path = changed_mapped_file(earlier);
  if (path.empty()) return;
  bad_file(path + ": was overwritten while in use, so that nothing is proved");
}

const char* mapped_path_at(const void* address) {
  const auto* const at = static_cast<const std::uint8_t*>(address);
  for (const Mapping* mapping = mappings; mapping != nullptr; mapping = mapping->next) {
    const std::uint8_t* const data = mapping->data;
    if (data != nullptr && at >= data && at < data + mapping->size) return mapping->path;
  }
  return nullptr;
}

}  // namespace tessera
