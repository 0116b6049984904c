// SPDX-License-Identifier: MIT
#pragma once

#include <exception>
#include <new>
#include <string>

#include "tessera/base/error.hpp"

namespace tessera {

/// A failure that every rank of a job throws at the same place: the job ends in order, and one of
/// them reports it.
class CommonError final : public Error {
 public:
  using Error::Error;
};

/// A rank has failed, this one or another, in the midst of what all do together: it ends the
/// waiting and the work of all of them. What failed is on record and is reported at the end of the
/// job.
class JobFailed final : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "a rank of the job failed"; }
};

/// What an exception is to the user: one line, and the kind that its exit code follows from.
struct Failure {
  ErrorKind kind = ErrorKind::internal;
  std::string message;
};

/// The failure that is being handled; to be called in a catch block.
[[nodiscard]] inline Failure current_failure() {
  try {
    throw;
  } catch (const Error& error) {
    return {error.kind(), error.what()};
  } catch (const std::bad_alloc&) {
    return {ErrorKind::resource, "out of memory"};
  } catch (const std::exception& error) {
    return {ErrorKind::internal, std::string("internal failure: ") + error.what()};
  } catch (...) {
    return {ErrorKind::internal, "internal failure of an unknown kind"};
  }
}

}  // namespace tessera
