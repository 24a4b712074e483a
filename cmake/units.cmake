# Sources of one sub-room are compiled as one: most of the time goes into reading headers, and a sub-room's sources read the
# same ones (docs/decisions/0019-one-translation-unit-per-sub-room.md). -DINTERPOLE_UNITY=OFF compiles file by file.
#
# A unit names its sources as they are found on the include path, below `base`, and so says the same in every clone: a
# compiler cache answers for all of them (docs/decisions/0033-units-that-clones-share.md). It is rewritten only when it changes.
# What includes itself once per instruction set (Highway) stays alone.
function(interpole_compile_by_sub_room target base)
  if(NOT INTERPOLE_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  set(compiled "")
  set(units "")
  foreach(source IN LISTS sources)
    file(STRINGS "${source}" alone REGEX "HWY_TARGET_INCLUDE" LIMIT_COUNT 1)
    if(alone OR NOT source MATCHES "\\.cpp$")
      list(APPEND compiled "${source}")
      # Clang takes minutes over sanitized vector kernels, which read no file: fuzzing does without.
      if(INTERPOLE_FUZZ AND alone AND NOT source MATCHES "/plain_csv\\.cpp$")
        set_source_files_properties("${source}" PROPERTIES COMPILE_OPTIONS "-fno-sanitize=all")
      endif()
      continue()
    endif()
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
    string(MAKE_C_IDENTIFIER "${folder}" unit)
    list(APPEND units ${unit})
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${base}")
    string(APPEND text_of_${unit} "#include \"${source}\"\n")
  endforeach()
  list(REMOVE_DUPLICATES units)
  foreach(unit IN LISTS units)
    set(file "${PROJECT_BINARY_DIR}/units/${target}/${unit}.cpp")
    file(CONFIGURE OUTPUT "${file}" CONTENT "${text_of_${unit}}" @ONLY)
    list(APPEND compiled "${file}")
  endforeach()
  set_target_properties(${target} PROPERTIES SOURCES "${compiled}")
  target_include_directories(${target} PRIVATE "${base}")
endfunction()
