/**
 * Contract tests, which every implementation of the message system must pass.
 * <p>An implementation of {@code RpcEnv} extends each {@code RpcXContract} and supplies the environment. The module rpc
 * does so with real sockets, with and without TLS; the testkit does so with the simulated network. Both implementations
 * must behave alike.
 * <p>Threads: contract tests run on a JUnit thread and wait for completion stages within a time limit. Stability:
 * evolving.
 */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.testkit.rpc;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
