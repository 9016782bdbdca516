/**
 * Bulk lane of an RPC environment: separate connections for streams, downloads and uploads, so that large data never
 * delays messages. Transfers are resumable and verified by checksums. Start reading at {@code BulkStreams}. Not
 * exported.
 */
@NullMarked
package dev.hearth.rpc.internal.bulk;

import org.jspecify.annotations.NullMarked;
