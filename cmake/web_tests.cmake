# Tests of the explorer: types, arithmetic alone, arithmetic beside the program's, and the page in a real browser.
# Sanitizers watch the program: what these tests run of it, tests/ run too.
function(interpole_web_test name)
  add_test(NAME web.${name} COMMAND "${INTERPOLE_NODE}" ${ARGN} WORKING_DIRECTORY "${INTERPOLE_WEB}")
  set_tests_properties(web.${name} PROPERTIES TIMEOUT 900 LABELS not_for_sanitizers ENVIRONMENT
    "INTERPOLE_PROGRAM=$<TARGET_FILE:interpole_program>;INTERPOLE_SOURCE=${PROJECT_SOURCE_DIR};NODE_NO_WARNINGS=1")
endfunction()

interpole_web_test(Types node_modules/svelte-check/bin/svelte-check --tsconfig ./tsconfig.json --fail-on-warnings)
interpole_web_test(Arithmetic node_modules/vitest/vitest.mjs run)
interpole_web_test(Agreement node_modules/vitest/vitest.mjs run --config vitest.agreement.config.ts)
file(GLOB browser_tests CONFIGURE_DEPENDS "${INTERPOLE_WEB}/browser/*.test.ts")
foreach(test IN LISTS browser_tests)
  get_filename_component(name "${test}" NAME_WE)
  interpole_web_test(Browser.${name} --test "${test}")
  set_tests_properties(web.Browser.${name} PROPERTIES COST 45)  # seconds, until times are known: the long ones begin first
endforeach()
