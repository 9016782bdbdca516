/** Deterministic simulation of clusters for tests: virtual time, processes, a network that fails. Stability: evolving. */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.testkit;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
