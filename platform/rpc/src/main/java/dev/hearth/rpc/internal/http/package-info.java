/**
 * HTTP server on the port of an RPC environment: connections, routing, authorisation, responses, server-sent events.
 * Start reading at {@code HttpLane}. Not exported.
 */
@NullMarked
package dev.hearth.rpc.internal.http;

import org.jspecify.annotations.NullMarked;
