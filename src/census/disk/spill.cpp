// SPDX-License-Identifier: MIT
#include "census/disk/spill.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <utility>

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/threads.hpp"
#include "census/disk/block_file.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace tessera {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const char* what) {
  out_of_resources(path.string() + ": " + what + ", " + std::strerror(errno));
}

}  // namespace

/// A thread that does tasks in order. Those that have not begun when it ends are dropped.
class TaskThread {
 public:
  std::shared_future<void> post(std::packaged_task<void()> task) {
    std::shared_future<void> done = task.get_future().share();
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(task));
    task_came_.notify_one();
    return done;
  }

 private:
  void work(const std::stop_token& ending) {
    while (true) {
      std::packaged_task<void()> task;
      {
        std::unique_lock lock(mutex_);
        if (!task_came_.wait(lock, ending, [&] { return !waiting_.empty(); })) return;
        if (ending.stop_requested()) return;
        task = std::move(waiting_.front());
        waiting_.pop_front();
      }
      task();
    }
  }

  std::mutex mutex_;
  std::condition_variable_any task_came_;
  std::deque<std::packaged_task<void()>> waiting_;
  Threads thread_{1, [this](int, const std::stop_token& ending) { work(ending); }};
};

SpillFile::~SpillFile() {
  unlink(path.c_str());
}

Spill::Spill(const SpillFolder& folder, std::uint64_t held_bytes, std::uint64_t behind_bytes)
    : folder_(folder.own_folder()), held_limit_(held_bytes), behind_limit_(behind_bytes) {
#ifdef __GLIBC__
  // Segments of growing sizes come and go: each is returned to the system when freed, or heap
  // fragmentation would far exceed the memory limit. Once, since glibc does not guard against two
  // threads whose first use of its heap this is, as under the thread sanitizer.
  [[maybe_unused]] static const int set = mallopt(M_MMAP_THRESHOLD, 128 << 10);
#endif
  writer_ = std::make_unique<TaskThread>();
  reader_ = std::make_unique<TaskThread>();
}

Spill::~Spill() = default;

void Spill::keep(Segment& segment) {
  bytes_kept_ += segment.data_bytes;
  if (held_ + segment.data_bytes <= held_limit_) {
    held_ += segment.data_bytes;
    return;
  }
  begin_file(segment, std::exchange(segment.data, nullptr), true);
}

void Spill::make_file(Segment& segment) {
  if (segment.file || !segment.data || spare_failure_) return;
  begin_file(segment, segment.data, false);
}

void Spill::forget_file(Segment& segment) {
  if (segment.file && segment.data && segment.file->blocks.bytes == 0) segment.file = nullptr;
}

void Spill::begin_file(Segment& segment, std::shared_ptr<const Bytes> data, bool needed) {
  settle_writes(behind_limit_);
  const auto file = std::make_shared<SpillFile>(folder_ / SpillFolder::file_name(next_file_++));
  file->pending = data;
  Segment written = segment;
  written.data = std::move(data);
  segment.file = file;
  behind_ += segment.data_bytes;
  // A file that is released before its turn is never read, so it is not written.
  std::packaged_task<void()> task([this, file = std::weak_ptr(file), written = std::move(written)] {
    if (const auto wanted = file.lock()) write(*wanted, written);
  });
  writes_.push_back({writer_->post(std::move(task)), file, segment.data_bytes, needed});
}

// Waits until less than `behind_limit` is left to write, and retires finished writes.
void Spill::settle_writes(std::uint64_t behind_limit) {
  while (!writes_.empty() && (behind_ >= behind_limit || is_ready(writes_.front().done))) {
    const Write& first = writes_.front();
    try {
      first.done.get();
    } catch (...) {
      if (first.needed) {
        // The caller may forget files, so none is still being written.
        for (const Write& write : writes_) write.done.wait();
        throw;
      }
      spare_failure_ = std::current_exception();
    }
    if (const auto file = first.file.lock()) file->pending = nullptr;
    behind_ -= first.bytes;
    writes_.pop_front();
  }
}

void Spill::drop(Segment& segment) {
  if (segment.data) held_ -= segment.data_bytes;
  segment = {};
}

void Spill::write(SpillFile& to, const Segment& segment) {
  const Descriptor file(
      open(to.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644));
  if (!file.is_open()) fail(to.path, "cannot be written");
  to.blocks.slabs = segment.slabs;
  write_block_file(to.blocks, segment.planes, segment.entries, *segment.data,
                   [&](const auto& parts) {
                     for (const std::span<const std::uint8_t> part : parts) {
                       if (!write_all(file.number(), part)) fail(to.path, "cannot be written");
                     }
                   });
  bytes_written_ += to.blocks.bytes;
}

void Spill::flush() {
  settle_writes(0);
  if (spare_failure_) std::rethrow_exception(std::exchange(spare_failure_, nullptr));
}

std::shared_future<void> Spill::read(std::shared_ptr<std::vector<Part>> parts) {
  std::packaged_task<void()> task([this, parts = std::move(parts)] {
    for (Part& part : *parts) read_now(part);
  });
  return reader_->post(std::move(task));
}

void Spill::read_now(Part& part) {
  const std::filesystem::path& path = part.file->path;
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!file.is_open()) fail(path, "cannot be read");
  for (std::size_t done = 0; done < part.bytes.size();) {
    const ssize_t count = pread(file.number(), part.bytes.data() + done, part.bytes.size() - done,
                                static_cast<off_t>(part.offset + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(path, "cannot be read");
    if (count == 0) bad_file(path.string() + ": has become shorter");
    done += static_cast<std::size_t>(count);
  }
  bytes_read_ += part.bytes.size();
}

}  // namespace tessera
