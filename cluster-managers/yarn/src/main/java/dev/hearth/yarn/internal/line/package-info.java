/**
 * The line of one application to YARN: what it asks of the ResourceManager and of NodeManagers, and what they report. No type
 * here is one of Hadoop, so that state machines and simulations use them.
 *
 * <p>Terms. A <i>line</i> is a registered application master, seen from the driver: in the driver's own process, or in a
 * container that relays (the <i>relay</i>). An <i>ask</i> is a request for one container; it has a key that its owner never
 * uses twice. A <i>grant</i> is a container that the ResourceManager gives; it is started or released, exactly once. A
 * <i>report</i> is one answer of the ResourceManager. All methods of a line and of its listener run on the application's
 * event loop; a line does blocking work on threads of its own.
 *
 * <p>A worked failure. The ResourceManager restarts. The line keeps the asks that have no grant yet and repeats them when it
 * has registered again; the owner sees {@code registered} with the containers that are still alive, and no loss.
 */
@NullMarked
package dev.hearth.yarn.internal.line;

import org.jspecify.annotations.NullMarked;
