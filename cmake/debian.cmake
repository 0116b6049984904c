# SPDX-License-Identifier: MIT
# What Debian has otherwise than `cmake --install`: compressed man pages, another folder for zsh, the
# licence under another name. Called for the files of each package before it is packed.
foreach(component program library)
  set(usr ${CPACK_TEMPORARY_DIRECTORY}/${component}/usr)
  file(GLOB pages ${usr}/share/man/man1/*.1)
  if(pages)
    execute_process(COMMAND gzip -9n ${pages} COMMAND_ERROR_IS_FATAL ANY)
  endif()
  if(EXISTS ${usr}/share/zsh/site-functions)
    file(RENAME ${usr}/share/zsh/site-functions ${usr}/share/zsh/vendor-completions)
  endif()
endforeach()
set(doc ${CPACK_TEMPORARY_DIRECTORY}/program/usr/share/doc)
file(RENAME ${doc}/tessera/LICENSE ${doc}/tessera/copyright)
file(MAKE_DIRECTORY ${CPACK_TEMPORARY_DIRECTORY}/library/usr/share/doc/libtessera-dev)
file(COPY_FILE ${doc}/tessera/copyright
     ${CPACK_TEMPORARY_DIRECTORY}/library/usr/share/doc/libtessera-dev/copyright)
