# `make install PREFIX=…`: program, library with the DuckDB it reads with, public headers and CMake package.
include(CMakePackageConfigHelpers)

install(TARGETS interpole_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS interpole EXPORT interpole_targets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/interpole DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(FILES "${DUCKDB_LIBRARY}" DESTINATION ${CMAKE_INSTALL_LIBDIR}/interpole)
# Manual pages and completion: made by the program from its own descriptions.
install(CODE "execute_process(COMMAND \"$<TARGET_FILE:interpole_program>\" manual --output
                              \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}\"
                              OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)")
install(DIRECTORY studies DESTINATION ${CMAKE_INSTALL_DATADIR}/interpole)
if(INTERPOLE_PYTHON)
  set(python_folder ${CMAKE_INSTALL_LIBDIR}/python3/dist-packages/interpole)
  install(TARGETS interpole_python LIBRARY DESTINATION ${python_folder})
  install(DIRECTORY "${PROJECT_BINARY_DIR}/python/interpole/" DESTINATION ${python_folder}
          FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
endif()
install(EXPORT interpole_targets NAMESPACE interpole:: FILE interpole-targets.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/interpole)
configure_package_config_file(cmake/interpole-config.cmake.in "${PROJECT_BINARY_DIR}/interpole-config.cmake"
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/interpole)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/interpole-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/interpole-config.cmake" "${PROJECT_BINARY_DIR}/interpole-config-version.cmake"
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/interpole)
