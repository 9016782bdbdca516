/**
 * File stores for tests: a store in memory with scripted faults, and the contract suite of file stores.
 * <p>Threads: the stores are thread-safe. Stability: evolving.
 */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.testkit.storage;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
