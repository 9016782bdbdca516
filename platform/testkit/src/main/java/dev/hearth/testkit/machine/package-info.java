/**
 * Access to the real machine, for integration tests: commands, processes, small disks, networks, polling.
 * <p>Used by tests of the modules kernel and rpc and by itests. Each wait has a timeout. {@code SmallDisk} and
 * {@code TestingNetwork} need root on Linux. Creating a network removes those of killed tests.
 * <p>Threads: one test thread per object. Stability: evolving.
 */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.testkit.machine;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
