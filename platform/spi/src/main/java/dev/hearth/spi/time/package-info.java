/**
 * Time as an injected dependency.
 * <p>Components never read the system clock; they ask the {@code Ticker} of their event loop. In real processes the
 * ticker is the machine's clock, in simulations it is a virtual clock. State machines receive the time as an argument
 * instead.
 * <p>Threads: any thread may call. Stability: evolving.
 */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.spi.time;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
