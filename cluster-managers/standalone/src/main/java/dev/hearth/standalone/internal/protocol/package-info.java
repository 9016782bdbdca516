/**
 * Messages of a standalone cluster. Each protocol is named after its receiver. {@code MasterProtocol} contains the
 * messages to the master, and {@code WorkerProtocol} the messages to a worker. {@code ApplicationProtocol} contains the
 * messages to an application's driver, and {@code SubmitterProtocol} the messages to a submitter. An answer belongs to
 * the same protocol as the request.
 */
@NullMarked
package dev.hearth.standalone.internal.protocol;

import org.jspecify.annotations.NullMarked;
