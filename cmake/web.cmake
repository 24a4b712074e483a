# The explorer's pages (web/), each built into one HTML file and put into the library as it is: the served one, and that of a report, which
# has nothing of what only a served page can do. Node.js and the npm packages are where scripts/setup put them.
# -DINTERPOLE_EXPLORER=OFF builds without them: pages are then an empty line, and report and serve say so.
set(INTERPOLE_NODE "${PROJECT_SOURCE_DIR}/.deps/node-22.23.3/bin/node" CACHE FILEPATH "Node.js that builds the explorer's page")
set(INTERPOLE_WEB "${PROJECT_SOURCE_DIR}/web")
if(INTERPOLE_EXPLORER)
  if(NOT EXISTS "${INTERPOLE_NODE}" OR NOT EXISTS "${INTERPOLE_WEB}/node_modules/vite/bin/vite.js")
    message(FATAL_ERROR "Node.js or the explorer's npm packages are missing: run scripts/setup")
  endif()

  file(GLOB_RECURSE web_sources CONFIGURE_DEPENDS "${INTERPOLE_WEB}/src/*" "${INTERPOLE_WEB}/build/*")
  list(FILTER web_sources EXCLUDE REGEX "\\.test\\.ts$")
  foreach(page served report)
    set(built "${PROJECT_BINARY_DIR}/web/${page}/index.html")
    add_custom_command(
      OUTPUT "${built}"
      COMMAND ${CMAKE_COMMAND} -E env INTERPOLE_WEB_PAGE=${page} "INTERPOLE_WEB_OUT=${PROJECT_BINARY_DIR}/web/${page}"
              VITE_CONFIG_NATIVE_IGNORE_WARNING=true "${INTERPOLE_NODE}" node_modules/vite/bin/vite.js build --logLevel warn
      WORKING_DIRECTORY "${INTERPOLE_WEB}"
      DEPENDS ${web_sources} "${INTERPOLE_WEB}/index.html" "${INTERPOLE_WEB}/vite.config.ts"
              "${INTERPOLE_WEB}/tsconfig.json" "${INTERPOLE_WEB}/package-lock.json"
      COMMENT "Building the explorer's page (${page})"
      VERBATIM)
    list(APPEND INTERPOLE_PAGES "${built}")
    set(${page}_bytes ".incbin \"${built}\"")
  endforeach()
else()
  set(served_bytes ".byte 10")
  set(report_bytes ".byte 10")
endif()

# An assembler file takes the bytes in as they are, at no cost in compile time.
enable_language(ASM)
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/explorer_page.S" @ONLY CONTENT
".section .rodata
.balign 16
.global interpole_served_page, interpole_served_page_end, interpole_report_page, interpole_report_page_end
interpole_served_page:
@served_bytes@
interpole_served_page_end:
.byte 0
interpole_report_page:
@report_bytes@
interpole_report_page_end:
.byte 0
.section .note.GNU-stack, \"\", %progbits
")
add_library(interpole_page OBJECT "${PROJECT_BINARY_DIR}/generated/explorer_page.S")
if(INTERPOLE_EXPLORER)
  set_source_files_properties("${PROJECT_BINARY_DIR}/generated/explorer_page.S" PROPERTIES OBJECT_DEPENDS "${INTERPOLE_PAGES}")
endif()
