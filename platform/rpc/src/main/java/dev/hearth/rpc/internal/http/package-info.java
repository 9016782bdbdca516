/** HTTP on the port of an env: connections, routes, admission, answers, events. Entry: {@code HttpLane}. */
@NullMarked
package dev.hearth.rpc.internal.http;

import org.jspecify.annotations.NullMarked;
