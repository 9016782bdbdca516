/**
 * Following of a driver that runs on the cluster. {@link DriverFollowing} decides, {@link FollowingShell} watches its pod.
 *
 * <p>States: WAITING -> STARTING -> RUNNING -> ENDING -> ENDED; RUNNING <-> RESTARTING for a supervised driver; STARTING ->
 * ABANDONING -> ENDED for a pod that cannot start. A worked failure: the API server restarts while the driver runs. The
 * mirror reports after five seconds that it is stale, and the submission is UNKNOWN. The server answers again, the mirror
 * lists the pod once, and the submission is RUNNING, or has ended with the exit status in the facts about its container.
 */
@NullMarked
package dev.hearth.kubernetes.internal.following;

import org.jspecify.annotations.NullMarked;
