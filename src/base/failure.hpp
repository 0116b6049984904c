// SPDX-License-Identifier: MIT
#pragma once

#include <exception>
#include <new>
#include <string>
#include <utility>

#include "base/error.hpp"

namespace tessera {

/// A failure that every rank of a job throws at the same place: the job shuts down normally, and
/// one rank reports it.
class CommonError final : public Error {
 public:
  using Error::Error;
};

/// An exception as reported: a one-line message, and the kind, which determines the exit code.
struct Failure {
  ErrorKind kind = ErrorKind::internal;
  std::string message;
};

/// This rank or another has failed during a collective operation: it stops all ranks, whether they
/// wait or work. The failure is recorded and is reported at the end of the job.
class JobFailed final : public std::exception {
 public:
  explicit JobFailed(Failure failure) : failure_(std::move(failure)) {}
  [[nodiscard]] const Failure& failure() const { return failure_; }
  [[nodiscard]] const char* what() const noexcept override { return failure_.message.c_str(); }

 private:
  Failure failure_;
};

/// The exception being handled; call it in a catch block only.
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
