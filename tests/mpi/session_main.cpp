// SPDX-License-Identifier: MIT
#include "mpi/session_main.hpp"

#include <gtest/gtest.h>

#include "mpi/stack_when_late.hpp"

tessera::Session* tessera::session = nullptr;

int main(int argc, char** argv) {
  tessera::print_stack_when_late();
  tessera::Session session(argc, argv);
  tessera::session = &session;
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
