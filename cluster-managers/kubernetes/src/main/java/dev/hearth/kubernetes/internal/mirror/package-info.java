/**
 * Local copy of the pods of one application, kept by one list and one watch. {@link Mirror} decides, {@link MirrorShell}
 * sends its requests.
 *
 * <p>States: LISTING -> WATCHING -> (AWAY ->) LISTING or WATCHING, and CLOSED. A watch that the server ends after its time
 * continues from the last version. Whatever else ends it - a gap (410), an error, silence - leads to another list or to a
 * pause. A worked failure: the API server restarts; the watch breaks, the mirror is AWAY and pauses 0.1 to 10 s. After five
 * seconds it reports that it is stale, so that its reader creates and cancels nothing. The server answers again, the
 * mirror lists once, reports the differences, and is fresh.
 */
@NullMarked
package dev.hearth.kubernetes.internal.mirror;

import org.jspecify.annotations.NullMarked;
