/**
 * Files of HTTP servers, for the schemes {@code http} and {@code https}. {@code HttpFileStore} asks {@code HttpCache}
 * for a local copy. A {@code HttpDownload} fetches what the cache lacks, and does what the state machine {@code HttpTransfer}
 * decides: which bytes to request, when to try again, and when to give up.
 */
@NullMarked
package dev.hearth.httpfs.internal;

import org.jspecify.annotations.NullMarked;
