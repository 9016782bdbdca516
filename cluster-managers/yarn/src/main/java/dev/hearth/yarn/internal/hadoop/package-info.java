/**
 * The line of an application master to its ResourceManager and to NodeManagers, by Hadoop's clients. Only this package and
 * {@code relay} and {@code driver}, which open lines, use classes of Hadoop.
 *
 * <p>{@link dev.hearth.yarn.internal.hadoop.DirectLine} owns a thread, the <i>line thread</i>, on which all calls to the
 * ResourceManager are made; the calls block, in the worst case for the bound of a connection. Calls to NodeManagers are made on
 * a bounded pool. Both run under Hadoop's class loader and as a user of their own for each application, because Hadoop
 * keeps tokens with the user and in static tables.
 *
 * <p>A worked failure. The ResourceManager restarts while executors are wanted. A beat fails; the line reports the
 * interruption once and tries again each second. Hadoop's client registers again when the new ResourceManager answers that
 * it does not know the application master, and repeats all requests that have no grant.
 */
@NullMarked
package dev.hearth.yarn.internal.hadoop;

import org.jspecify.annotations.NullMarked;
