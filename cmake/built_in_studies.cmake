# The studies that the program knows without a file (src/interpole/data/study/built_in_study.hpp). studies/*.toml are their only
# source: their text is put into a list that built_in_study.cpp includes, made anew whenever one of them changes.
set(INTERPOLE_GENERATED "${PROJECT_BINARY_DIR}/generated")
set(entries "")
foreach(study "diag=diag.toml" "bias=bias.toml" "adni=adni/adnimerge.toml")
  string(REGEX MATCH "^([a-z]+)=(.+)$" parts "${study}")
  set(file "${PROJECT_SOURCE_DIR}/studies/${CMAKE_MATCH_2}")
  set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  set(name "${CMAKE_MATCH_1}")
  set(shown "studies/${CMAKE_MATCH_2}")
  file(READ "${file}" text)
  string(APPEND entries "BuiltIn{\"${name}\", \"${shown}\", R\"study(${text})study\"},\n")
endforeach()
file(CONFIGURE OUTPUT "${INTERPOLE_GENERATED}/built_in_studies.inc" CONTENT "@entries@" @ONLY)
