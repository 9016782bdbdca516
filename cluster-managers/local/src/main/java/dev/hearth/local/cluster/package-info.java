/** Executors in processes of their own on the driver's machine. Internal: found as a service, exported to nobody. */
@NullMarked
package dev.hearth.local.cluster;

import org.jspecify.annotations.NullMarked;
