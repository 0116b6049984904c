// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace tessera {

/// The Error that `work` throws; the test fails where it throws none.
template <class Work>
Error refused(const Work& work) {
  try {
    (void)work();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was refused";
  return {ErrorKind::internal, ""};
}

}  // namespace tessera
