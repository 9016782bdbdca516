/**
 * Deterministic simulation of clusters, for tests.
 * <p>A test creates a {@code Simulation}, starts processes, gives their event loops and RPC environments to the real
 * components, and states invariants with {@code always}. Time is virtual and every random choice comes from the seed,
 * so a failure is repeatable with the printed command. {@code FaultScript} adds crashes, partitions, pauses and wrong
 * clocks. Classes named {@code TestingX} are test doubles for services of the module spi.
 * <p>Threads: everything runs on the thread that created the simulation. Stability: evolving.
 */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.testkit;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
