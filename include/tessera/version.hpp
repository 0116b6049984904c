// SPDX-License-Identifier: MIT
#pragma once

/// The version of these headers, for `#if`. The interface changes only with the first two numbers.
#define TESSERA_VERSION_MAJOR 0
#define TESSERA_VERSION_MINOR 1
#define TESSERA_VERSION_PATCH 0
