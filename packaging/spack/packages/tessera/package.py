# SPDX-License-Identifier: MIT
"""A recipe for Spack, in a repository of its own: spack repo add packaging/spack"""

import os

from spack.package import *

try:  # Spack 1.0 has build systems beside its packages
    from spack_repo.builtin.build_systems.cmake import CMakePackage, generator
except ImportError:
    pass


class Tessera(CMakePackage):
    """Optimal solver of sliding-tile puzzles, on threads and on MPI ranks."""

    license("MIT")

    # The sources that this recipe lies in: spack install tessera@develop needs no download.
    homepage = "file://" + os.path.realpath(os.path.join(os.path.dirname(__file__), *[".."] * 4))
    git = homepage

    version("develop", branch="main")

    variant("mpi", default=True, description="Build the mpi backend")
    variant("python", default=False, description="Build the Python package")

    depends_on("cxx", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("ninja", type="build")
    depends_on("fmt")
    depends_on("nlohmann-json")
    depends_on("boost@1.74:")
    depends_on("tomlplusplus")
    depends_on("xxhash")
    depends_on("googletest", type="test")
    with when("+mpi"):
        depends_on("mpi")
        depends_on("boost+mpi+serialization")

    with when("+python"):
        extends("python")
        depends_on("py-pybind11", type="build")

    # C++20
    conflicts("%gcc@:11")
    conflicts("%clang@:13")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define_from_variant("TESSERA_WITH_MPI", "mpi"),
            self.define("TESSERA_BUILD_TESTS", self.run_tests),
            self.define("CMAKE_INSTALL_LIBDIR", "lib"),  # where Spack looks for Python packages
            self.define_from_variant("TESSERA_WITH_PYTHON", "python"),
        ]

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def solve_one(self):
        """The installed program solves and verifies the built-in boards."""
        tessera = Executable(self.prefix.bin.tessera)
        tessera("solve", "--set", "haskell", "--threads", "1", "--json", "results.jsonl")
        tessera("verify", "results.jsonl")
