# SPDX-License-Identifier: Apache-2.0
# Installs BUILD, builds plug-ins in WORK from the installed tree, compares packages; then makes an
# NPU's project with the installed program, builds and tests it, and runs a network on it; at last
# builds examples/systolic, which tests/examples runs.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " line)
    message(FATAL_ERROR "${line}\n${text}")
  endif()
  set(output "${text}" PARENT_SCOPE)
endfunction()

# Compiles MODEL for TARGET with the build's program and with the installed one and PLUGIN.
function(compare name model target built_options plugin)
  run(${BUILD}/bin/tenon compile ${model} --target ${target} ${built_options} -o ${WORK}/${name}-1.tenon)
  run(${WORK}/prefix/bin/tenon compile ${model} --target ${target} --plugin ${plugin} -o ${WORK}/${name}-2.tenon)
  run(${CMAKE_COMMAND} -E compare_files ${WORK}/${name}-1.tenon ${WORK}/${name}-2.tenon)
endfunction()

file(REMOVE_RECURSE ${WORK}/prefix ${WORK}/sources)
foreach(component runtime compiler)
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix --component ${component})
endforeach()
file(COPY ${TREE}/tests/toy DESTINATION ${WORK}/sources)
foreach(backend ${BACKENDS})
  file(COPY ${TREE}/backend/${backend} DESTINATION ${WORK}/sources/backend)
endforeach()
run(${CMAKE_COMMAND} -G Ninja -S ${TREE}/tests/install/plugins -B ${WORK}/build
  -DCMAKE_PREFIX_PATH=${WORK}/prefix -DSOURCES=${WORK}/sources "-DBACKENDS=${BACKENDS}"
  -DCMAKE_C_COMPILER=${C_COMPILER} -DCMAKE_CXX_COMPILER=${CXX_COMPILER}
  -DCMAKE_C_COMPILER_LAUNCHER=${LAUNCHER} -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O1)
run(${CMAKE_COMMAND} --build ${WORK}/build)

# The installed program finds plug-ins by folder.
execute_process(COMMAND ${CMAKE_COMMAND} -E env TENON_PLUGIN_PATH=${WORK}/build
  ${WORK}/prefix/bin/tenon devices OUTPUT_VARIABLE listed COMMAND_ERROR_IS_FATAL ANY)
foreach(words "alpha +a toy for tests" "toy_alpha_device.so: is a device library")
  if(NOT listed MATCHES "${words}")
    message(FATAL_ERROR "tenon devices lacks \"${words}\":\n${listed}")
  endif()
endforeach()

compare(toy ${TREE}/tests/install/adds.mlir alpha:ADD "--plugin;${TOY}" ${WORK}/build/toy_alpha.so)
foreach(backend ${BACKENDS})
  compare(${backend} ${MODEL} ${backend} "" ${WORK}/build/${backend}.so)
endforeach()

# An NPU of one's own, as its README says. Its plug-in must do without MLIR.
file(REMOVE_RECURSE ${WORK}/acme)
run(${WORK}/prefix/bin/tenon new-npu acme --output ${WORK}/acme)
run(${CMAKE_COMMAND} -G Ninja -S ${WORK}/acme -B ${WORK}/acme/build
  -DCMAKE_PREFIX_PATH=${WORK}/prefix -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DCMAKE_C_COMPILER=${C_COMPILER}
  -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER} -DCMAKE_DISABLE_FIND_PACKAGE_MLIR=ON
  -DCMAKE_CXX_FLAGS=-Werror)
run(${CMAKE_COMMAND} --build ${WORK}/acme/build)
run(${CMAKE_CTEST_COMMAND} --test-dir ${WORK}/acme/build --output-on-failure)
set(on_acme --target acme --plugin ${WORK}/acme/build/acme_backend.so)
set(ENV{TENON_DEVICE_PATH} ${WORK}/acme/build/acme_device.so)
run(${WORK}/prefix/bin/tenon compare ${NETWORK} ${on_acme} --against host)
run(${WORK}/prefix/bin/tenon explain ${NETWORK} ${on_acme})
if(NOT output MATCHES "CONV_2D +acme")
  message(FATAL_ERROR "no convolution runs on the new NPU:\n${output}")
endif()

file(REMOVE_RECURSE ${WORK}/systolic)
run(${CMAKE_COMMAND} -G Ninja -S ${TREE}/examples/systolic -B ${WORK}/systolic
  -DCMAKE_PREFIX_PATH=${WORK}/prefix -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DCMAKE_C_COMPILER=${C_COMPILER}
  -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER} -DCMAKE_DISABLE_FIND_PACKAGE_MLIR=ON
  -DCMAKE_CXX_FLAGS=-Werror)
run(${CMAKE_COMMAND} --build ${WORK}/systolic)
run(${CMAKE_CTEST_COMMAND} --test-dir ${WORK}/systolic --output-on-failure)
