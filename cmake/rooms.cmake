# A room is a folder under src/interpole, with sub-rooms in it; src/interpole/rooms.tsv lists them, lowest floor first.
# `*_test.cpp` and `*_bench.cpp` sit beside what they test and measure; everything else in the folder is part of the library.
# Not cached, so that a new room is built in an old build folder too; -DINTERPOLE_ROOMS=… builds some of them.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/interpole/rooms.tsv")
if(NOT INTERPOLE_ROOMS)
  file(STRINGS "${PROJECT_SOURCE_DIR}/src/interpole/rooms.tsv" INTERPOLE_ROOMS REGEX "^[0-9]")
  list(TRANSFORM INTERPOLE_ROOMS REPLACE "^[0-9]+\t([a-z_]+)\t.*$" "\\1")
  list(REMOVE_DUPLICATES INTERPOLE_ROOMS)
endif()

# How many times as long as usual tests wait: what sanitizers watch is slower. The tests of the program read it too
# (tests/patience.py).
set(INTERPOLE_TEST_PATIENCE 1)
if(INTERPOLE_SANITIZE MATCHES "thread")
  set(INTERPOLE_TEST_PATIENCE 6)
elseif(INTERPOLE_SANITIZE)
  set(INTERPOLE_TEST_PATIENCE 3)
endif()
math(EXPR INTERPOLE_TEST_TIMEOUT "600 * ${INTERPOLE_TEST_PATIENCE}")

# What a defect that tests missed should end in: a stop, not somebody else's code (docs/decisions/0064-hardened-build.md). Sanitizers
# look at the same calls as FORTIFY and want them as they are; without optimisation it does nothing but warn.
function(interpole_harden target)
  target_compile_options(${target} PRIVATE -fstack-protector-strong)
  target_compile_definitions(${target} PRIVATE _GLIBCXX_ASSERTIONS)
  if(NOT INTERPOLE_SANITIZE)
    target_compile_options(${target} PRIVATE "$<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=3>")
  endif()
  target_link_options(${target} PRIVATE LINKER:-z,relro LINKER:-z,now)
endfunction()

# How every target of the house is compiled.
function(interpole_compile_options target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wno-psabi)
  # g++ collects garbage whenever its heap has grown by half, as if memory were scarce: a fifth of the time of a large unit.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC 12 warns of string concatenation without cause (its bug 105651).
    target_compile_options(${target} PRIVATE -Wno-restrict --param=ggc-min-expand=1000 --param=ggc-min-heapsize=1048576)
  endif()
  if(INTERPOLE_HARDEN)
    interpole_harden(${target})
  endif()
  if(INTERPOLE_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${INTERPOLE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(${target} PRIVATE -fsanitize=${INTERPOLE_SANITIZE})
  endif()
endfunction()

# One test program per room.
function(interpole_room_tests)
  set(rooms ${INTERPOLE_ROOMS})
  if(INTERPOLE_SANITIZE MATCHES "thread")
    list(REMOVE_ITEM rooms model optimize sampling report)  # nothing in them, nor below, starts a thread
  endif()
  foreach(room IN LISTS rooms)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/interpole/${room}/*_test.cpp")
    if(NOT INTERPOLE_EXPLORER)
      list(FILTER sources EXCLUDE REGEX "/explorer_page_test\\.cpp$")
    endif()
    if(sources)
      add_executable(${room}_test ${sources})
      interpole_compile_options(${room}_test)
      interpole_compile_by_room(${room}_test "${PROJECT_SOURCE_DIR}/src" 2)
      # The library is optimised; optimising what checks it as much would double the time to compile the tests.
      target_compile_options(${room}_test PRIVATE -O1)
      target_link_libraries(${room}_test PRIVATE interpole duckdb fmt::fmt Eigen3::Eigen GTest::gmock_main rapidcheck PkgConfig::nettle ZLIB::ZLIB)
      # Temporary files of two builds must not meet: each has a folder of its own.
      set(scratch "${PROJECT_BINARY_DIR}/test-files/${room}/")
      file(MAKE_DIRECTORY "${scratch}")
      gtest_discover_tests(${room}_test TEST_PREFIX "${room}." DISCOVERY_TIMEOUT 60
                           PROPERTIES TIMEOUT ${INTERPOLE_TEST_TIMEOUT} ENVIRONMENT "TEST_TMPDIR=${scratch}"
                           ENVIRONMENT_MODIFICATION "INTERPOLE_SOURCE_FOLDER=set:${PROJECT_SOURCE_DIR}")
    endif()
  endforeach()
endfunction()

function(interpole_room_benchmarks)
  foreach(room IN LISTS INTERPOLE_ROOMS)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/interpole/${room}/*_bench.cpp")
    if(sources)
      add_executable(${room}_bench ${sources})
      interpole_compile_options(${room}_bench)
      target_link_libraries(${room}_bench PRIVATE interpole duckdb benchmark::benchmark_main)
    endif()
  endforeach()
endfunction()
