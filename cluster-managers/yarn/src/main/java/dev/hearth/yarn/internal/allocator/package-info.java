/**
 * Containers of one application on YARN: how many are asked for, where, which are started and released, and what the driver
 * learns of their ends. {@link Allocator} decides; {@code YarnApplication} owns it and performs its effects on a line.
 *
 * <p>A <i>pool</i> is the containers of one profile of one context: <i>held</i> ones, that start or run, and <i>asks</i>
 * without a grant. When nothing is under way, both together are as many as the context wants. A container is
 * STARTING -> UP -> LEAVING -> RELEASED, or ENDED from any of the first three; a grant that no ask explains is released at once.
 *
 * <p>Parts without effects of their own: {@link ContainerTable} holds containers, {@link OpenAsks} asks, {@link
 * LocalityPlacement} picks hosts, {@link HeadroomBound} bounds asks, {@link FailureWindows} and {@link HostExclusion} count
 * failures, {@link ExitMeaning} explains exit statuses, {@link Departures} follows notices and releases, {@link Beats} paces
 * the line, {@link Obstacles} says why executors do not come.
 *
 * <p>A worked failure: a NodeManager dies. The ResourceManager reports its containers with status -100; the driver learns of
 * HOST_LOST, no failure is counted, and new asks leave with the same orders. If the driver's connection breaks first, it
 * doubts the executor, and three beats follow within half a second to learn the reason.
 */
@NullMarked
package dev.hearth.yarn.internal.allocator;

import org.jspecify.annotations.NullMarked;
