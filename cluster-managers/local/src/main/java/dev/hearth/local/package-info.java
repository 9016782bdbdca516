/** Executors within the driver's own process. Internal: found as a service, exported to nobody. */
@NullMarked
package dev.hearth.local;

import org.jspecify.annotations.NullMarked;
