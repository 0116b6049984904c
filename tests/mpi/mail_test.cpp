// SPDX-License-Identifier: MIT
// All ranks run the tests together.
#include "cluster/messages/mail.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/serialization/string.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "cluster/messages/collectives.hpp"
#include "cluster/messages/messages.hpp"
#include "mpi/session_main.hpp"

namespace tessera {
namespace {

// Far more than a message that is sent before its receiver asks for it.
const std::string large(std::size_t{4} << 20, 'x');

// Something that ranks wait for without MPI, as one that is stopped would.
class Signal {
 public:
  Signal() {
    if (session->rank() == master_rank) std::filesystem::remove(path_);
    barrier(*session);
  }
  void give() const { std::ofstream file(path_); }
  void wait() const {
    const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!std::filesystem::exists(path_) && std::chrono::steady_clock::now() < latest) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_TRUE(std::filesystem::exists(path_));
  }

 private:
  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("tessera-mail-" + std::to_string(getppid()));
};

// Rank 1 sends a large message and a small one, and then makes no call of MPI until rank 0 has seen
// the head of the first one and received what the other ranks sent.
TEST(Mail, WaitsForNoRankThatIsStopped) {
  if (session->size() < 2) return;
  const Signal seen;
  Mail mail(session->state(), session->world());
  if (session->rank() > 0) mail.send(master_rank, tag_work, std::string("small"));
  if (session->rank() == 1) {
    mail.send(master_rank, tag_finished, large);
    mail.send(master_rank, tag_finished, std::string("small"));
    seen.wait();
  }
  if (session->rank() == master_rank) {
    int small = 0;
    wait_until(session->state(), [&] {
      mail.receive<std::string>(tag_work, [&](int, const std::string& text) {
        EXPECT_EQ(text, "small");
        ++small;
      });
      return small == session->size() - 1;
    });
    // The head is here: it was sent before the small messages of other ranks could be answered.
    wait_until(session->state(),
               [] { return session->world().iprobe(1, tag_finished).has_value(); });
    mail.receive<std::string>(tag_finished, [](int, const std::string&) {
      ADD_FAILURE() << "overtook the message before it, of which only the head is here";
    });
    seen.give();
    std::vector<std::size_t> lengths;
    wait_until(session->state(), [&] {
      mail.receive<std::string>(tag_finished, [&](int rank, const std::string& text) {
        EXPECT_EQ(rank, 1);
        lengths.push_back(text.size());
      });
      return lengths.size() == 2;
    });
    EXPECT_EQ(lengths, (std::vector{large.size(), std::size_t{5}}));
  }
  wait_until(session->state(), [&] { return mail.all_left(); });
}

// As when a failure unwinds.
TEST(Mail, KeepsTheBuffersOfWhatIsUnderWay) {
  if (session->size() < 2) return;
  if (session->rank() == 1) {
    Mail(session->state(), session->world()).send(master_rank, tag_finished, large);
    EXPECT_TRUE(session->state().has_retained());
  }
  if (session->rank() == master_rank) {
    Mail mail(session->state(), session->world());
    std::string text;
    wait_until(session->state(), [&] {
      mail.receive<std::string>(tag_finished,
                                [&](int, std::string sent) { text = std::move(sent); });
      return !text.empty();
    });
    EXPECT_EQ(text, large);
  }
  barrier(*session);
}

}  // namespace
}  // namespace tessera
