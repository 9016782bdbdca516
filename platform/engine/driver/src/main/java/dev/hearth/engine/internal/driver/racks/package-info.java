/**
 * Racks of hosts, for tasks that prefer the rack of their data. A script, a table, a service of a bundle or the cluster
 * manager names them. {@code HostRacks} is owned by the driver's event loop; it never waits for an answer.
 */
@NullMarked
package dev.hearth.engine.internal.driver.racks;

import org.jspecify.annotations.NullMarked;
