// SPDX-License-Identifier: MIT
#include "census/disk/spill.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "census/disk/block_file.hpp"
#include "tessera/base/descriptor.hpp"
#include "tessera/base/error.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace tessera {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const char* what) {
  const int reason = errno;
  const bool disk = reason == ENOSPC || reason == EFBIG || reason == EDQUOT;
  throw Error(ErrorKind::resource, path.string() + ": " + what + ", " + std::strerror(reason) +
                                       (disk ? "; the search needs more disk" : ""));
}

}  // namespace

SpillFile::~SpillFile() {
  unlink(path_.c_str());
}

Spill::Spill(const SpillFolder& folder, std::uint64_t held_bytes, std::uint64_t behind_bytes)
    : folder_(folder.own_folder()), held_limit_(held_bytes), behind_limit_(behind_bytes) {
#ifdef __GLIBC__
  // Segments of ever other sizes come and go: each is given back to the system as it goes, or the
  // heap grows full of holes far beyond what may stay in memory. Once, since glibc does not guard
  // against two threads whose first use of its heap this is, as under the thread sanitizer.
  [[maybe_unused]] static const int set = mallopt(M_MMAP_THRESHOLD, 128 << 10);
#endif
  writer_ = std::jthread([this](const std::stop_token& stop) { serve_writes(stop); });
  reader_ = std::jthread([this](const std::stop_token& stop) { serve_reads(stop); });
}

Spill::~Spill() = default;

void Spill::stop() {
  for (std::jthread* const thread : {&writer_, &reader_}) {
    thread->request_stop();
    thread->join();
  }
}

void Spill::keep(Segment& segment) {
  bytes_kept_ += segment.data_bytes;
  if (held_ + segment.data_bytes <= held_limit_) {
    held_ += segment.data_bytes;
    return;
  }
  begin_file(segment, std::move(segment.data), true);
  segment.data = nullptr;
}

void Spill::make_file(Segment& segment) {
  if (!segment.file && segment.data) begin_file(segment, segment.data, false);
}

void Spill::forget_file(Segment& segment) {
  if (segment.file && segment.data && segment.file->bytes == 0) segment.file = nullptr;
}

void Spill::begin_file(Segment& segment, std::shared_ptr<const Bytes> data, bool needed) {
  auto file = std::make_shared<SpillFile>(folder_ / SpillFolder::file_name(next_file_++));
  file->pending_ = std::move(data);
  segment.file = file;
  std::unique_lock lock(mutex_);
  written_.wait(lock, [&] { return write_failure_ || behind_ < behind_limit_; });
  if (write_failure_) std::rethrow_exception(write_failure_);
  behind_ += segment.data_bytes;
  writes_.push_back({file, segment.entries, segment.slabs, segment.planes, needed});
  to_write_.notify_one();
}

void Spill::drop(Segment& segment) {
  if (segment.data) held_ -= segment.data_bytes;
  segment = {};
}

std::shared_ptr<const Bytes> Spill::in_memory(const Segment& segment) const {
  if (segment.data || !segment.file) return segment.data;
  const std::scoped_lock lock(mutex_);
  return segment.file->pending_;
}

void Spill::serve_writes(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (to_write_.wait(lock, stop, [&] { return !writes_.empty(); })) {
    if (stop.stop_requested()) return;
    Write job = writes_.front();
    const auto data = job.file->pending_;
    lock.unlock();
    std::exception_ptr failure;
    try {
      // Gone already: nobody would read it.
      const bool given_up = write_failure_ || (!job.needed && spare_failure_);
      if (!given_up && job.file.use_count() > 2) write(job);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    if (failure) (job.needed ? write_failure_ : spare_failure_) = failure;
    if (!failure || !job.needed) job.file->pending_ = nullptr;
    behind_ -= data->size;
    writes_.pop_front();
    written_.notify_all();
    // The last holder removes the file: not under the lock.
    lock.unlock();
    job = {};
    lock.lock();
  }
}

void Spill::write(const Write& job) {
  const BlockFileParts parts(job.slabs, job.planes, job.entries, job.file->pending_->span());
  const Descriptor file(
      open(job.file->path().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644));
  if (!file.is_open()) fail(job.file->path(), "cannot be written");
  for (const std::span<const std::uint8_t> part : parts.parts()) {
    if (!write_all(file.number(), part)) fail(job.file->path(), "cannot be written");
  }
  job.file->bytes = parts.bytes();
  job.file->checksum = parts.checksum();
  bytes_written_ += parts.bytes();
}

void Spill::flush() {
  std::unique_lock lock(mutex_);
  written_.wait(lock, [&] { return write_failure_ || writes_.empty(); });
  if (write_failure_) std::rethrow_exception(write_failure_);
  if (spare_failure_) std::rethrow_exception(std::exchange(spare_failure_, nullptr));
}

void Spill::read(std::shared_ptr<Reading> reading) {
  const std::scoped_lock lock(mutex_);
  readings_.push_back(std::move(reading));
  to_read_.notify_one();
}

void Spill::wait(const Reading& reading) {
  std::unique_lock lock(mutex_);
  read_.wait(lock, [&] { return reading.done_; });
  if (reading.failure_) std::rethrow_exception(reading.failure_);
}

bool Spill::done(const Reading& reading) {
  const std::scoped_lock lock(mutex_);
  if (reading.done_ && reading.failure_) std::rethrow_exception(reading.failure_);
  return reading.done_;
}

void Spill::serve_reads(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (to_read_.wait(lock, stop, [&] { return !readings_.empty(); })) {
    if (stop.stop_requested()) return;
    const std::shared_ptr<Reading> held = std::move(readings_.front());
    Reading& reading = *held;
    readings_.pop_front();
    lock.unlock();
    try {
      read_now(reading);
    } catch (...) {
      reading.failure_ = std::current_exception();
    }
    lock.lock();
    reading.done_ = true;
    read_.notify_all();
  }
}

void Spill::read_now(Reading& reading) {
  for (Part& part : reading.parts) {
    const Descriptor file(open(part.file->path().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (!file.is_open()) fail(part.file->path(), "cannot be read");
    for (std::size_t done = 0; done < part.bytes.size;) {
      const ssize_t count = pread(file.number(), part.bytes.data.get() + done,
                                  part.bytes.size - done, static_cast<off_t>(part.offset + done));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) fail(part.file->path(), "cannot be read");
      if (count == 0) {
        throw Error(ErrorKind::corrupt, part.file->path().string() + ": has become shorter");
      }
      done += static_cast<std::size_t>(count);
    }
    bytes_read_ += part.bytes.size;
  }
}

}  // namespace tessera
