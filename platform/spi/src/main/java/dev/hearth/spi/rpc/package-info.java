/** Messages between processes: endpoints, refs, and protocols as sets of records. Stability: evolving. */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.spi.rpc;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
