/**
 * Bulk lane of an env: streams served and fetched, downloads, uploads, content stores. Transfers are resumable and
 * verified by checksums. Start reading at {@code BulkStreams}. Not exported.
 */
@NullMarked
package dev.hearth.rpc.internal.bulk;

import org.jspecify.annotations.NullMarked;
