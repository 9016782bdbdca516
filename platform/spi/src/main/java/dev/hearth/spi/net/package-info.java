/**
 * Values that the packages rpc, stream and http share: bytes, addresses, and registrations that end when they are
 * closed. Stability: evolving.
 */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.spi.net;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
