/** What every message system must do, as tests to extend. Stability: evolving. */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.testkit.rpc;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
