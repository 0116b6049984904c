// SPDX-License-Identifier: MIT
#include "base/file.hpp"
#include "base/mapped_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <thread>
#include <vector>

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/lock_file.hpp"
#include "base/refusal.hpp"
#include "base/temporary_folder.hpp"

namespace tessera {
namespace {

constexpr std::uint64_t plenty = 1 << 20;

template <class Work>
std::string refusal(ErrorKind kind, const Work& work) {
  const Error error = refused(work);
  EXPECT_EQ(error.kind(), kind) << error.what();
  return error.what();
}

TEST(File, OnlyRegularFilesAreRead) {
  const TemporaryFolder folder;
  const auto pipe = folder.path() / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::filesystem::path& path :
       {pipe, folder.path(), std::filesystem::path("/dev/zero"), folder.path() / "none"}) {
    refusal(ErrorKind::input, [&] { (void)read_file(path, plenty); });
    refusal(ErrorKind::input, [&] { (void)open_regular(path); });
    refusal(ErrorKind::input, [&] { MappedFile{path}; });
  }
  EXPECT_EQ(read_file(folder.file("text", "abc"), 3), "abc");
  const std::string larger =
      refusal(ErrorKind::input, [&] { (void)read_file(folder.path() / "text", 2); });
  EXPECT_NE(larger.find("larger than 2 bytes"), std::string::npos) << larger;
}

TEST(File, APipeIsReadWhereAskedFor) {
  const TemporaryFolder folder;
  const auto pipe = folder.path() / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] {  // either end waits for the other
    const Descriptor in(open(pipe.c_str(), O_WRONLY | O_CLOEXEC));
    EXPECT_EQ(write(in.number(), "3 0 2 1", 7), 7);
  });
  EXPECT_EQ(read_file(pipe, plenty, Pipes::read), "3 0 2 1");
  writer.join();
  // As a shell's <(command): open at both ends, then written and closed at one.
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const Descriptor out(ends[0]);
  ASSERT_EQ(write(ends[1], "1 2 0 3", 7), 7);
  close(ends[1]);
  const std::string path = "/dev/fd/" + std::to_string(out.number());
  EXPECT_EQ(read_file(path, plenty, Pipes::read), "1 2 0 3");
}

TEST(File, AnAtomicWriteReplacesALinkAndLeavesItsTarget) {
  const TemporaryFolder folder;
  const std::string other = folder.file("other", "precious");
  const auto planted = folder.path() / "planted";
  std::filesystem::create_symlink(other, planted);
  const std::array<std::uint8_t, 2> bytes{'a', 'b'};
  write_atomically(planted, std::array<std::span<const std::uint8_t>, 1>{bytes});
  EXPECT_EQ(read_file(other, plenty), "precious");
  EXPECT_TRUE(std::filesystem::is_regular_file(std::filesystem::symlink_status(planted)));
  EXPECT_EQ(read_file(planted, plenty), "ab");
  EXPECT_EQ(folder.entries().size(), 2U);
}

// A killed process removes nothing, but its lock is gone.
TEST(LockFile, ItsHolderRemovesTheDraftsOfKilledOnes) {
  const TemporaryFolder folder;
  const auto table = folder.path() / "table";
  for (const char* name : {".table.Ab3dE9", ".table.Ab3dE-", ".table.lock", ".tables.Ab3dE9"}) {
    (void)folder.file(name, "");
  }
  const auto lock = LockFile::take_if_free(LockFile::beside(table));
  ASSERT_TRUE(lock);
  lock->remove_drafts_of(table);
  std::vector<std::string> entries = folder.entries();
  std::ranges::sort(entries);
  EXPECT_EQ(entries, (std::vector<std::string>{".table.Ab3dE-", ".table.lock", ".tables.Ab3dE9"}));
}

TEST(MappedFile, IsKnownToBeOverwrittenInPlace) {
  const TemporaryFolder folder;
  const std::string path = folder.file("table", std::string(5000, 'a'));
  const MappedFile mapped(path);
  const std::uint64_t earlier = noticed_file_changes();
  EXPECT_NO_THROW(expect_unchanged_mapped_files(earlier));
  EXPECT_STREQ(mapped_path_at(mapped.bytes().data() + 4999), path.c_str());
  EXPECT_EQ(mapped_path_at(&mapped), nullptr);
  // Replaced by a rename: the old file lives on here.
  std::filesystem::rename(folder.file("new", std::string(5000, 'b')), path);
  EXPECT_NO_THROW(expect_unchanged_mapped_files(earlier));
  EXPECT_EQ(mapped.bytes()[0], 'a');
  const auto expect_noticed = [&] {
    const std::string message =
        refusal(ErrorKind::corrupt, [&] { expect_unchanged_mapped_files(earlier); });
    EXPECT_TRUE(message.starts_with(path + ": was overwritten")) << message;
  };
  {
    const MappedFile second(path);
    std::fstream(path, std::ios::in | std::ios::out) << "c";
    EXPECT_TRUE(second.is_unchanged());
    expect_noticed();
    EXPECT_FALSE(second.is_unchanged());
    // A search that begins now maps the file again.
    EXPECT_NO_THROW(expect_unchanged_mapped_files(noticed_file_changes()));
    EXPECT_TRUE(MappedFile(path).is_unchanged());
  }
  expect_noticed();  // by a search that began before
  EXPECT_NO_THROW(expect_unchanged_mapped_files(noticed_file_changes()));
  const std::uint64_t before = noticed_file_changes();
  {
    const MappedFile third(path);
    std::ofstream(path, std::ios::app) << "c";
  }
  EXPECT_EQ(noticed_file_changes(), before + 1);  // though nobody asked while it was mapped
  EXPECT_TRUE(mapped.is_unchanged());
}

TEST(MappedFile, IsKnownAmongAnyNumber) {
  const TemporaryFolder folder;
  const std::string path = folder.file("table", "a");
  std::vector<MappedFile> others;
  for (int i = 0; i < 520; ++i) others.emplace_back(path);
  const std::string last = folder.file("last", "a");
  const MappedFile mapped(last);
  EXPECT_STREQ(mapped_path_at(mapped.bytes().data()), last.c_str());
  const std::uint64_t earlier = noticed_file_changes();
  (void)folder.file("last", "longer");
  const std::string message =
      refusal(ErrorKind::corrupt, [&] { expect_unchanged_mapped_files(earlier); });
  EXPECT_TRUE(message.starts_with(last)) << message;
}

TEST(LockFile, NamesItsHolderAndGivesUpWhenTold) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "lock";
  std::optional<LockFile> held = LockFile::take_if_free(path);
  ASSERT_TRUE(held);
  std::string holder;
  int asked = 0;
  const auto second = LockFile::take(path, [&](const std::string& who) {
    holder = who;
    return ++asked < 3;
  });
  EXPECT_FALSE(second);
  EXPECT_EQ(asked, 3);
  EXPECT_EQ(holder.find("process " + std::to_string(getpid()) + " on "), 0U) << holder;
  // Who waits gets it, though the file is removed with the lock.
  EXPECT_TRUE(LockFile::take(path, [&](const std::string&) {
    held.reset();
    return true;
  }));
  EXPECT_TRUE(folder.entries().empty());
}

TEST(LockFile, ALockThatCannotBeHadIsAnError) {
  const TemporaryFolder folder;
  const std::string other = folder.file("other", "precious");
  const auto planted = folder.path() / "planted";
  std::filesystem::create_symlink(other, planted);
  const auto pipe = folder.path() / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::filesystem::path& path :
       {planted, pipe, folder.path(), folder.path() / "none" / "lock",
        std::filesystem::path(other)}) {
    refusal(ErrorKind::input, [&] { (void)LockFile::take_if_free(path); });
  }
  EXPECT_EQ(read_file(other, plenty), "precious");
}

}  // namespace
}  // namespace tessera
